"""Marks, spaces and ends of every message: what a test can know of good typography.

It holds for the bot's catalogues, those of the demo's page and the words of the log checker, in
all languages.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from babel import Locale

from bot.demo.backend.words import FOLDER as PAGE
from bot.i18n import FALLBACK, catalogues
from tests.i18n.retired import RETIRED
from tests.i18n.test_words import messages
from tests.verify.page_words import TABLE

LANGUAGES = sorted(catalogues())
OTHERS = [name for name in LANGUAGES if name != FALLBACK]
HARD = "\N{NO-BREAK SPACE}"
GAP = re.compile(r"\{[^{}]*\}")
QUOTES = {
    "en": ("“", "”"),
    "de": ("„", "“"),
    "fr": ("«", "»"),
    "it": ("«", "»"),
    "nl": ("‘", "’"),
    "es": ("«", "»"),
}
"""Opening and closing. Every quote of a language is of this kind."""
OPTION = 28
"""Letters of an option that a closed list shows whole on a phone of 390 px."""
LONG_OPTIONS = {"en": 0, "de": 0, "fr": 0, "it": 0, "nl": 0, "es": 0}
"""Options that are still longer. The number only falls."""


class Said(NamedTuple):
    key: str
    words: str


def said(language: str) -> Iterator[Said]:
    """Every form of every message of the bot, of the demo's page and of the log checker."""
    for key, message in messages(language).items():
        forms = (message.string,) if isinstance(message.string, str) else message.string
        for form in dict.fromkeys(forms):
            yield Said(key, form)
    page = json.loads((PAGE / f"{language}.json").read_text("utf-8"))
    for key, words in page.items():
        yield Said(f"page:{key}", words)
    checker = dict(TABLE[language])
    for key, words in checker.pop("faults").items():
        yield Said(f"fault:{key}", words)
    for key, words in checker.items():
        yield Said(f"checker:{key}", words)


def faults(language: str, is_wrong: Callable[[str], object]) -> list[Said]:
    return [one for one in said(language) if is_wrong(one.words)]


# -- marks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_and_quotes_are_curved_and_of_one_kind(language: str) -> None:
    wrong = set("'\"‘’“”„‚‹›«»") - {*QUOTES[language], "’"}
    assert not faults(language, wrong.intersection)
    opened, closed = QUOTES[language]
    assert not [
        one
        for one in said(language)
        if closed != "’" and one.words.count(opened) != one.words.count(closed)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_minus_ellipsis_and_dashes_are_real(language: str) -> None:
    minus = re.compile(r"(^|[\s(*=])-[\s\d{]")
    assert not faults(language, lambda words: minus.search(GAP.sub("{}", words)))
    assert not faults(language, lambda words: "..." in words or "!!" in words or "??" in words)
    assert not faults(language, lambda words: "—" in words), "a colon or a full stop"


def test_spanish_questions_and_cries_are_opened() -> None:
    assert not faults("es", lambda words: words.count("¿") != words.count("?"))
    assert not faults("es", lambda words: words.count("¡") != words.count("!"))


# -- spaces --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_are_single_and_inside(language: str) -> None:
    """Only what is put behind a figure, in brackets, begins with one."""
    assert not faults(language, lambda words: re.search(r"[ \u00a0\u202f]{2}|\s\n|\n\s", words))
    assert {key for key, words in said(language) if words != words.strip()} <= {"stats.mean"}


UNIT = re.compile(r"[}\d] (ms|s|%|kB|MB)(?!\w)| [×]|× \d")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_ends_between_a_number_and_its_unit(language: str) -> None:
    assert not faults(language, UNIT.search)


TYPED = {"page:missing"}
"""What ends with an option as it is typed: `/replay needs match:`."""
FRENCH = re.compile(rf"(?<!{HARD})([;!?»]|:(?=[\s*]|$))|«(?!{HARD})")


def test_french_marks_of_two_parts_have_a_hard_space() -> None:
    found = faults("fr", lambda words: FRENCH.search(GAP.sub("x", words)))
    assert {one.key for one in found} <= TYPED


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "fr"])
def test_elsewhere_no_space_stands_before_a_mark(language: str) -> None:
    assert not faults(language, lambda words: re.search(r"\s[,.:;!?](\s|$)", words))


# -- ends ----------------------------------------------------------------------------------

LABELS = re.compile(
    r"(name|option_name|command|button|letter|colour|icon|column|period|order|option|level"
    r"|options|permission|variant|game|live\.what|highlight|score)\..*"
    r"|.*\.title|badge\.[a-z_]+|(ligretto|dice)\.(mine|left|own_left|roll|flip)"
)
"""Names of things, and what stands alone on a line: never a full stop."""
TOASTS = re.compile(
    r"(ligretto|dice|table)\.refused\..*|end\.kept|leave\.stayed|live\.thanks"
    r"|table\.(in|in_already|queued|you_left|started|ready)"
)
"""The line that says what a press did, or why it did nothing. One sentence has no full stop,
several have theirs.
"""
ANSWERS = re.compile(
    r"(request|press|daily|settings|privacy)\.refused\..*|table\.closed\..*|badge\..*\.why"
    r"|help\.(?!title).*|unranked\..*|arena\.stopped\..*|watch\.(busy|failed|nothing|too_often)"
    r"|plain\.o(n|ff)|notice\..*"
)
"""Messages that are read at leisure: sentences, with a full stop, or a gap behind a colon."""


def ends(words: str) -> str:
    """Return the mark a message ends with, behind its bold or quoted words, or nothing."""
    last = re.sub(rf"[*`)“”»’\s{HARD}]+$", "", words)[-1:]
    return last if last in ".!?:…" else ""


def test_full_stops_go_by_the_kind_of_a_message() -> None:
    assert not [one for one in said(FALLBACK) if not ends_by_kind(one)]


def ends_by_kind(one: Said) -> bool:
    end, several = ends(one.words), len(sentences(one.words)) > 1
    if ANSWERS.fullmatch(one.key):
        return bool(end) or bool(re.search(r":\s(\*\*)?\{[^{}]+\}(\*\*)?$", one.words))
    if TOASTS.fullmatch(one.key):
        return (end == ".") == several or end in "?!"
    return not LABELS.fullmatch(one.key) or end != "." or several


def sentences(words: str) -> list[str]:
    return re.split(r"[.!?] (?=[A-Z{])", words)


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_ends_as_the_english_does(language: str) -> None:
    english = {key: ends(words) for key, words in said(FALLBACK)}
    other = [one for one in said(language) if ends(one.words) != english[one.key]]
    assert not [one for one in other if one.key not in TYPED]


# -- the same in every language ------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_marks_of_format(language: str) -> None:
    """As many bold words, and as much to be typed; in pairs."""
    english = {key: formats(words) for key, words in said(FALLBACK)}
    assert not [one for one in said(language) if formats(one.words) != english[one.key]]
    assert not faults(language, lambda words: formats(words)[0] % 2 or formats(words)[1] % 2)


def formats(words: str) -> tuple[int, int, int]:
    return words.count("**"), words.count("`"), words.count("\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_option_is_seen_whole_in_a_closed_list(language: str) -> None:
    options = [one for one in said(language) if re.match(r"option\.|settings\.switch", one.key)]
    assert options
    long = [one for one in options if len(GAP.sub("20", one.words)) > OPTION]
    assert len(long) <= LONG_OPTIONS[language], long


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_those_of_the_language(language: str) -> None:
    """By CLDR; its third form of French, Italian and Spanish begins at a million."""
    plural, cldr = catalogues()[language].plural, Locale(language).plural_form
    assert [plural(n) for n in range(1000)] == [int(cldr(n) != "one") for n in range(1000)]


SAME = {
    "Discord's own word, and what hosts call them": r"privacy\.shards\w*",
    "names of the games": r"(name|game|icon)\.(ligretto|pile)|ligretto\.win.*|learn\.stop",
    "letters of colours": r"letter\.[rgb]",
    "units and figures": r"stats\.mean|records\.seconds|margin\.ms|live\.works|history\.played",
    "words of computing": r"name\.(ping|replay|stats|help|privacy)|fair\.seed|button\.replay",
    "said so in Discord's words": r"name\.(arena|records)|table\.promise|moderate\.table|page:.*",
    "the same word there": r"robot\.name|choice\.robots|options\.(level|title|extra)|badge\..*"
    r"|button\.(start|handicap|options|badges)|letters\.are|ligretto\.own_left"
    r"|stats\.(rated|title)|rating\.changes|records\.title|variant\.expert|option_name\.minutes"
    r"|(end\.line|score\.points|table\.left_points|end\.minutes)"
    r"|arena\.(table|you_sit)|table\.title_arena"
    r"|checker:(hand|robot|date|centre|points|r_ligretto)",
}
"""What may be the same in another language, and why."""


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(language: str) -> None:
    english = set(said(FALLBACK))
    same = [
        one
        for one in said(language)
        if one in english
        and re.search(r"[^\W\d_]", GAP.sub("", one.words))
        and not any(re.fullmatch(keys, one.key) for keys in SAME.values())
    ]
    assert not same


# -- words ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_retired_words_do_not_come_back(language: str) -> None:
    for word, instead, left in RETIRED[language]:
        found = {key for key, words in said(language) if re.search(word, GAP.sub("", words))}
        found -= {"page:welcome_about"}  # of the machine it runs on
        assert len(found) <= left, (word, f"say {instead}", sorted(found))
