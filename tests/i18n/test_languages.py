"""Every screen in every language: what Discord takes, and what a phone has room for."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from bot.games.ligretto.model import Colour
from bot.i18n import catalogues, figure, say
from bot.screen import Row, Screen
from bot.tables.decisions.presence import Presence
from bot.tables.views.screens import table_message
from bot.text import Icon, Joined, Name, Number, Text, bare, change, points
from bot.ui.commands.rules.command import help_screen
from bot.ui.render.marks import Label, Reader, Words
from bot.ui.render.names import columns
from bot.ui.render.robots import robot
from tests.games.ligretto import lesson
from tests.i18n import announced, arenas, managed, rules_pages
from tests.i18n.test_words import crossroads, messages
from tests.layout.geometry import PHONE as NARROWEST
from tests.layout.geometry import row_widths
from tests.tables import views
from tests.ui.limits import BUTTON, PHONE, TEXT, code_lines, drawn, fits, table_lines
from tests.ui.matches import HOST, PEOPLE, live, lobby, screens, user
from tests.ui.records import record_screens
from tests.ui.test_faces import FACES

LANGUAGES = sorted(catalogues())
PHONE_TEXT, PHONE_LINES = 40, 30
"""Columns of a line of text, and lines, that a phone shows at once beside Discord's own."""
LONG = ("Wilhelmina", "Annabelle", "Maximilian", "Benedikta", "Charlotte")


def every_screen() -> Iterator[Screen]:
    """What players, managers and moderators see, at every turn of an evening."""
    for session in crossroads():
        yield from screens(session)
        yield from arenas.at_table(session)
    yield views.public(live(lobby(PEOPLE)), 0)
    yield from record_screens(PEOPLE)
    yield from (Screen(blocks) for blocks in managed.SCREENS)
    yield from rules_pages.every_page()
    yield help_screen()
    yield from lesson.every_screen()


def test_every_screen_fits_in_every_language_and_calls_no_two_ways_the_same() -> None:
    """Discord takes it, and its tables and buttons are as wide as a phone at most. All languages in
    one test: the screens are made once, and drawn once in each.

    Cards, dice and gaps may be called the same: two equal ones are two.
    """
    every = tuple(dict.fromkeys(every_screen()))
    assert any(map(list, map(table_lines, every))), "a table to look at"
    for screen in every:
        ways = {locale: looked_at(screen, locale) for locale in LANGUAGES}
        assert len({(len(one), len(set(one))) for one in ways.values()}) == 1, ways
    rows = rows_of(every)
    assert not [wide for locale in LANGUAGES for wide in too_wide(rows, locale)]


def looked_at(screen: Screen, locale: str) -> list[str]:
    """What its buttons are called. Raises where Discord or a phone has no room for it."""
    parts = fits(screen, Reader(locale))
    for line in code_lines(parts):
        assert columns(line) <= PHONE, line
    return [part["label"] for part in parts if part["type"] == BUTTON]


def too_wide(rows: Iterable[Screen], locale: str) -> Iterator[object]:
    """Rows of buttons that a narrow phone has no room for, with their width."""
    reader = Reader(locale, faces=FACES)
    for screen in rows:
        for width, labels in row_widths(drawn(screen, reader)):
            if width > NARROWEST:
                yield locale, labels, round(width)


def rows_of(every: Iterable[Screen]) -> tuple[Screen, ...]:
    """Each row of buttons once, and those that name somebody with a long name."""
    away = tuple(user(seat) for seat in range(1, len(LONG)))
    session = live(lobby(LONG))
    absent = table_message.public(session, Presence(session.lived, absent=away))
    seen = (block for screen in (*every, absent) for block in screen.blocks)
    rows = dict.fromkeys(block for block in seen if isinstance(block, Row))
    return tuple(Screen((row,)) for row in rows)


@pytest.mark.parametrize("locale", LANGUAGES)
def test_texts_beside_buttons_fill_at_most_two_lines_of_a_phone(locale: str) -> None:
    """The line of what happened stands above the buttons: they must not move by much."""
    for key, message in messages(locale).items():
        if re.match(r"(ligretto|dice)\.(laid|filled|turned|placed|rolled|refused)", key):
            forms = (message.string,) if isinstance(message.string, str) else message.string
            assert max(columns(form) for form in forms) <= 100, key


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_digest_is_never_longer_than_a_phones_screen(locale: str) -> None:
    """With the longest names that Discord takes, and everything that can be told."""
    screen = announced.longest_week()
    texts = [one["content"] for one in drawn(screen, Reader(locale)) if "content" in one]
    lines = [line for text in texts for line in text.splitlines()]
    assert sum(-(-columns(line) // PHONE_TEXT) for line in lines) <= PHONE_LINES


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_margin_has_its_unit_from_one_place(locale: str) -> None:
    """So that every screen says `less than 1 ms` of one that can't be told from none.

    Only the check of Discord has times of its own.
    """
    said = {key: str(message.string) for key, message in messages(locale).items()}
    margins = [key for key, words in said.items() if re.search(r"\{ms\}\s*ms", words)]
    assert sorted(margins) == ["live.works", "margin.ms"]


BROKEN = re.compile(r"[0-9] m?s\b|[0-9] ±|± [0-9]|[·,] #[0-9]|:d> ·.#|(Ø|avg) ")
"""Where a line of a phone could end inside a figure, or begin with a match's number alone."""


@pytest.mark.parametrize("locale", LANGUAGES)
def test_no_figure_of_the_records_is_cut_by_the_end_of_a_line(locale: str) -> None:
    texts = dict.fromkeys(
        part["content"]
        for screen in (*record_screens(PEOPLE), Screen(announced.longest_week().blocks))
        for part in drawn(screen, Reader(locale))
        if part["type"] == TEXT
    )
    assert not {found[0]: text for text in texts if (found := BROKEN.search(text))}


@pytest.mark.parametrize("locale", LANGUAGES)
def test_no_line_of_a_place_or_a_match_begins_with_a_dot(locale: str) -> None:
    for key in ("board.own", "board.own_then", "history.match"):
        assert " · " not in "".join(messages(locale)[key].string), key


def test_german_apostrophes_are_curved() -> None:
    assert not [key for key, one in messages("de").items() if "'" in "".join(one.string)]


SECRETS = {
    "en": "secret",
    "de": "Geheimnis",
    "fr": "secret",
    "it": "segreto",
    "nl": "geheim",
    "es": "secreto",
}


def test_the_description_of_replay_calls_the_secret_as_its_answer_does() -> None:
    for locale, secret in SECRETS.items():
        for key in ("command.replay", "replay.here"):
            assert secret in "".join(messages(locale)[key].string), (locale, key)


def test_french_commands_say_what_they_do() -> None:
    """`Ouvre`, as all the others do; no infinitive."""
    said = {key: one.string for key, one in messages("fr").items() if key.startswith("command.")}
    assert not [key for key, words in said.items() if re.match(r"[A-Z]\w+[ei]r ", str(words))]


# -- cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", LANGUAGES)
def test_no_two_colours_share_a_letter(locale: str) -> None:
    letters = [Reader(locale).card(colour) for colour in Colour]
    assert len(set(letters)) == len(letters) == 4
    assert all(len(letter) == 1 and letter.isalpha() and letter.isupper() for letter in letters)


def test_letters_are_those_of_the_colours_own_words() -> None:
    """de and nl: gElb and gEel; es: aMarillo and aZul."""
    letters = {one: "".join(Reader(one).card(c) for c in Colour) for one in LANGUAGES}
    assert letters == {
        "de": "REGB",
        "en": "RYGB",
        "es": "RMVZ",
        "fr": "RJVB",
        "it": "RGVB",
        "nl": "REGB",
    }


def test_a_panel_in_french_shows_the_cards_of_a_german_table() -> None:
    """The words are the player's, the letters the table's: both speak of the same card."""
    session = live(lobby(PEOPLE[:2]))
    panel = views.panel(session, HOST, 0)
    labels = {p["label"] for p in drawn(panel, Reader("fr", "de")) if p["type"] == BUTTON}
    texts = " ".join(p["content"] for p in drawn(panel, Reader("fr", "de")) if p["type"] == TEXT)
    assert "J" not in {label[0] for label in labels}
    assert "`E " in texts
    assert say(bare(Icon("y7")), "fr", Label(Reader("fr", "de"))) == "E7"
    laid = Text("ligretto.laid", (("card", Icon("y7")),))
    assert "🔶 E7" in say(laid, "fr", Words(Reader("fr", "de")))
    assert "🔶 J7" in say(laid, "fr", Words(Reader("fr")))


def test_the_words_of_a_custom_id_are_the_same_in_every_language() -> None:
    """A press means the same whoever reads the button, and so do journals and replays."""
    session = live(lobby(PEOPLE[:2]))
    for screen in screens(session):
        ids = {
            tuple(
                part["custom_id"] for part in drawn(screen, Reader(locale)) if "custom_id" in part
            )
            for locale in LANGUAGES
        }
        assert len(ids) == 1
    assert session.seat_of(HOST) == 0


# -- numbers, plurals, commands ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "mean", "share", "many"),
    [
        ("en-US", "2.50", "46%", "12,345"),
        ("de", "2,50", "46\N{NO-BREAK SPACE}%", "12.345"),
        ("fr", "2,50", "46\N{NO-BREAK SPACE}%", "12\N{NARROW NO-BREAK SPACE}345"),
        ("it", "2,50", "46%", "12.345"),
        ("nl", "2,50", "46%", "12.345"),
        ("es-ES", "2,50", "46\N{NO-BREAK SPACE}%", "12.345"),
        ("pl", "2.50", "46%", "12,345"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    locale: str, mean: str, share: str, many: str
) -> None:
    assert figure(Number(2.5, 2), locale) == mean
    assert figure(Number(0.456, share=True), locale) == share
    assert figure(Number(-2.5, 2), locale) == f"−{mean}"
    assert figure(Number(-20, signed=True), locale) == "−20"
    assert many in say(Text("option.rounds", (("n", 12345),)), locale)


def test_a_minus_changes_no_plural_and_nothing_has_no_sign() -> None:
    """By CLDR the form goes by a number's size."""
    said = [
        say(Text("score.points", (("n", -1), ("points", points(-1)))), one)
        for one in sorted(catalogues())
    ]
    assert said == ["−1 Punkt", "−1 point", "−1 punto", "−1 point", "−1 punto", "−1 punt"]
    two = say(Text("score.points", (("n", -2), ("points", points(-2)))), "fr")
    assert (two, change(0), change(-2)) == ("−2 points", "0", "−2")
    assert figure(Number(0, signed=True), "de") == "0"


@pytest.mark.parametrize(
    ("locale", "none", "one"),
    [("de", "0 Runden", "1 Runde"), ("fr", "0 manche", "1 manche"), ("nl", "0 rondes", "1 ronde")],
)
def test_nothing_is_one_in_french_and_many_elsewhere(locale: str, none: str, one: str) -> None:
    said = [say(Text("option.rounds", (("n", n),)), locale) for n in (0, 1)]
    assert said == [none, one]


@pytest.mark.parametrize(
    ("locale", "opened"),
    [("en-GB", "/dice"), ("de", "/würfel"), ("fr", "/dés"), ("es-419", "/dados")],
)
def test_a_sentence_calls_a_command_as_the_readers_client_does(locale: str, opened: str) -> None:
    assert opened in say(Text("request.refused.no_table"), locale)


def test_a_command_below_another_and_an_option_are_called_so_too() -> None:
    assert "/moderation tisch-schließen" in say(Text("help.server"), "de")
    assert "/einstellungen zeitzone" in say(Text("settings.zone_how"), "de")


@pytest.mark.parametrize(
    ("locale", "names", "said"),
    [
        ("en-GB", ("Anna", "Ben"), "Anna and Ben"),
        ("de", ("Anna", "Ben", "Chloé"), "Anna, Ben und Chloé"),
        ("es-ES", ("Anna", "Ben"), "Anna y Ben"),
        ("es-ES", ("Anna", "Irene"), "Anna e Irene"),
        ("es-419", ("Anna", "Ben", "Hilda"), "Anna, Ben e Hilda"),
        ("es-ES", ("Anna", "Iago"), "Anna y Iago"),
        ("es-ES", ("Irene",), "Irene"),
        ("pl", ("Anna", "Ben"), "Anna and Ben"),
    ],
)
def test_names_in_a_sentence_are_joined_as_the_language_does(
    locale: str, names: tuple[str, ...], said: str
) -> None:
    winners = (
        ("crown", Icon("crown")),
        ("names", Joined(tuple(map(Name, names)), sentence=True)),
        ("n", len(names)),
    )
    assert said in say(Text("end.won", winners), locale)


def test_a_robot_is_called_so_in_the_language_of_its_table() -> None:
    assert [robot(locale, 2) for locale in ("en-GB", "de", "xx")] == [
        "Robot 2",
        "Roboter 2",
        "Robot 2",
    ]


def test_each_language_has_its_terms_and_nothing_left_to_mend() -> None:
    """What an editor and a second reader decided is kept for the next one."""
    page = (Path(__file__).parents[2] / "docs" / "translating.md").read_text("utf-8")
    sections = page.partition("## Terms and decisions")[2].split("\n### ")[1:]
    named = {section.partition("\n")[0]: section for section in sections}
    assert len(named) == len(LANGUAGES)
    for section in named.values():
        assert re.search(r"A second reading found \d+ entries", section)
        assert "none is left" in section
