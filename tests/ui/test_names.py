"""Whatever somebody calls himself, his name is a short harmless word in a line."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.i18n import catalogues
from bot.names import told_apart
from bot.tables.views.short_names import SHORT, SHORT_OF_MANY
from bot.text import Name
from bot.ui.render.marks import Code, Reader, Words
from bot.ui.render.names import ISOLATE, POP, code, columns, plain, safe
from bot.ui.render.robots import robot
from tests.ui.matches import HOSTILE

MARKS = "*_~|`>\\"
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
ANY = st.one_of(
    st.text(max_size=40),
    st.text("*_~|`>\\<@#&:/[]()- \n\u202e\u2067\u200bאعa木🎉", max_size=40),
    st.sampled_from(HOSTILE),
)


def bare(text: str) -> str:
    """A text with every escaped character taken out of it."""
    return re.sub(r"\\[*_~|`>\\<\[#-]", "", text)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \t\n Maria ", "Anna Maria"),
        ("Zoe\u0308", "Zoë"),
        ("\u1100\u200b\u1161", "\uac00"),
        ("\u202egnihsif", "gnihsif"),
        ("An\u200bna\u2060", "Anna"),
        ("Z\u0351\u0366a\u0489lgo", "Z\u0351\u0366algo"),
        ("Maximiliane Mustermann", "Maximiliane Mus…"),
        ("Maximiliane Mus Termann", "Maximiliane Mus…"),
        ("Exactly sixteen!", "Exactly sixteen!"),
        ("木" * 32, "木木木木木木木…"),
        ("🎉" * 32, "🎉🎉🎉🎉🎉🎉🎉…"),
        ("a" + "木" * 32, "a木木木木木木木…"),
    ],
)
def test_a_name_is_cut_to_what_can_be_seen_of_it(written: str, shown: str) -> None:
    assert plain(written, 16) == shown


@pytest.mark.parametrize(
    "written",
    ["", " ", "\u200b\u200d\ufeff", "\u202e\u2066", "\u0301\u0302", "\u3164", "\u115f\u1160",
     "\u2800\u2800", "\uffa0", "\u00ad"],
    ids=ascii,
)  # fmt: skip
def test_who_shows_nothing_of_a_name_is_called_player(written: str) -> None:
    assert plain(written, 16) == ""
    assert safe(written, 16, "en-GB") == code(written, 16, "en") == "Player"
    assert Words(Reader("de")).name(Name(written)) == "Jemand", "in the reader's language"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("*bold*", r"\*bold\*"),
        ("a_b__c", r"a\_b\_\_c"),
        ("||spoiler||", r"\|\|spoiler\|\|"),
        ("~~gone~~ `x`", r"\~\~gone\~\~ \`x\`"),
        ("back\\slash", r"back\\slash"),
        ("<t:0:R>", r"\<t:0:R>"),
        ("<@1001>", "\\<@\u200b1001>"),
        ("@everyone", "@\u200beveryone"),
    ],
)
def test_markdown_and_mentions_are_only_letters(written: str, shown: str) -> None:
    assert safe(written, 16, "en") == shown


def test_a_name_from_right_to_left_keeps_to_itself() -> None:
    assert safe("עברית", 16, "en") == f"{ISOLATE}עברית{POP}"
    assert safe("عربي 12", 16, "en") == f"{ISOLATE}عربي 12{POP}"


@given(ANY, st.integers(2, 32))
def test_a_plain_name_is_never_wider_than_its_place(written: str, width: int) -> None:
    shown = plain(written, width)
    assert columns(shown) <= width
    assert shown == unicodedata.normalize("NFC", shown)
    assert not set(shown) & set(TURNING + "\n\u200b")


@given(ANY)
def test_a_safe_name_never_pings_and_never_formats(written: str) -> None:
    shown = bare(safe(written, 16, "en"))
    assert not re.search(r"@(?!\u200b)", shown)
    assert not re.search(r"<[@#:/a]|<t:", shown)
    if "://" not in written:
        assert not set(shown) & set("*_~|`")


@given(ANY)
def test_a_safe_name_leaves_no_direction_open(written: str) -> None:
    shown = safe(written, 16, "en")
    assert shown.count(ISOLATE) == shown.count(POP) <= 1
    assert not set(shown) & (set(TURNING) - {ISOLATE, POP})
    if any(unicodedata.bidirectional(c) in ("R", "AL") for c in shown):
        assert (shown[0], shown[-1]) == (ISOLATE, POP)


@given(ANY)
def test_a_name_cannot_end_the_code_block_it_stands_in(written: str) -> None:
    shown = Code(Reader("en-US")).name(Name(written, 7))
    assert "`" not in shown
    assert columns(shown) <= 7


@pytest.mark.parametrize("written", HOSTILE)
def test_hostile_names_stay_on_one_line(written: str) -> None:
    assert "\n" not in Words(Reader("en-US")).name(Name(written))


def test_a_name_keeps_its_vowel_signs_but_builds_no_tower() -> None:
    """Hindi and Thai names need their marks; a hundred accents on one letter are a joke."""
    assert plain("नमिता", 16) == "नमिता"
    assert plain("สมชาย ดี", 16) == "สมชาย ดี"
    tower = plain("a" + "\u0336" * 100 + "b", 16)
    assert tower == "a\u0336\u0336b"
    assert plain("\u0301\u0301", 16) == ""


# -- short, and never the same -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("Robot 10", "Robot 11"), ("Robot 10", "Robot 11")),
        (("Anna", "Benedikta"), ("Anna", "Benedik…")),
        (("Alexander", "Alexandra"), ("Alexan…r", "Alexan…a")),
        (("Computer 10", "Computer 11", "Computer 20"), ("Compu…10", "Compu…11", "Compu…20")),
        (("Anna", "Anna", "Ben"), ("Anna 1", "Anna 2", "Ben")),
        (("Maximilian", "Maximilian"), ("Maximi 1", "Maximi 2")),
        (("王小明很高兴一", "王小明很高兴二"), ("王小…一", "王小…二")),
        (("🦊🦊🦊🦊🦊🐱", "🦊🦊🦊🦊🦊🐶"), ("🦊🦊…🐱", "🦊🦊…🐶")),
    ],
    ids=ascii,
)
def test_no_two_names_are_cut_to_the_same(names: tuple[str, ...], short: tuple[str, ...]) -> None:
    assert told_apart(names, 8) == short


@pytest.mark.parametrize("locale", sorted(catalogues()))
def test_robots_keep_their_numbers_in_every_language(locale: str) -> None:
    """Whole where there's room, and elsewhere never `Roboter…1` for the eleventh."""
    robots = tuple(robot(locale, number) for number in range(1, 12))
    few = told_apart(("Anna", *robots[:5]), SHORT)
    assert few == ("Anna", *robots[:5])
    for number, name in enumerate(told_apart(robots, SHORT_OF_MANY), 1):
        assert name.endswith(f"{number}"), name
        assert number > 9 or name == robots[number - 1]


@given(st.lists(ANY, min_size=2, max_size=12).map(tuple))
def test_short_names_are_different_and_fit(names: tuple[str, ...]) -> None:
    short = told_apart(names, 8)
    assert len(set(short)) == len(names)
    assert all(0 < columns(one) <= 8 for one in short)
    assert all(plain(one, 8) == one for one in short)


def test_arabic_in_a_code_block_keeps_the_numbers_beside_it_in_their_places() -> None:
    assert Code(Reader("en")).name(Name("محمد", 8)) == f"{ISOLATE}محمد{POP}"
    assert columns(f"{ISOLATE}محمد{POP}") == 4
