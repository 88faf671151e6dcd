"""The page speaks six languages: no word is missing, and none is left outside its catalogues."""

import json
import re
from string import Formatter

import pytest

from bot.demo.backend.words import FOLDER, translated, words
from bot.demo.web.page import STATIC
from bot.i18n import languages

ENGLISH = json.loads((FOLDER / "en.json").read_text("utf-8"))
SCRIPTS = sorted(STATIC.glob("*.js"))
SERVER = sorted(FOLDER.parent.rglob("*.py"))
NAMES = {"#", "…", "↓", "⚙"}
"""What the page's file says in every language."""


def gaps(text: str) -> set[str]:
    return {gap for _, gap, _, _ in Formatter().parse(text) if gap}


@pytest.mark.parametrize("language", sorted(languages()))
def test_no_word_is_missing(language: str) -> None:
    own = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    assert list(own) == list(ENGLISH), "the same keys in the same order"
    assert all(own.values())
    assert {key: gaps(text) for key, text in own.items()} == {
        key: gaps(text) for key, text in ENGLISH.items()
    }
    assert not re.search(r"\{/|\{\w+\.", "".join(words(language).values())), "the bot's words"


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_line_to_write_in_is_not_cut_on_a_narrow_phone(language: str) -> None:
    """At 320 px there is room for 26 letters beside the two buttons."""
    assert len(words(language)["composer"]) <= 26


def test_every_word_is_said_somewhere() -> None:
    page = (STATIC / "page.html").read_text("utf-8")
    code = "".join(path.read_text("utf-8") for path in (*SCRIPTS, *SERVER))
    used = {*re.findall(r"\{\{(\w+)\}\}", page), *re.findall(r'"([a-z_]+)"', code)}
    assert set(ENGLISH) <= used
    asked = set(re.findall(r'\b(?:said|pieces|_refuse)\((?:request\.n, |None, )?"(\w+)"', code))
    assert {*re.findall(r"\{\{(\w+)\}\}", page), *asked} - {"lang", "words"} <= set(ENGLISH)


def test_no_word_stands_outside() -> None:
    page = re.sub(r"\{\{\w+\}\}", "", (STATIC / "page.html").read_text("utf-8"))
    shown = {one.strip() for one in re.findall(r">([^<]+)<", page)} - {""}
    labels = set(re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]+)"', page))
    assert shown | labels <= NAMES
    for path in SCRIPTS:
        code = re.sub(r"//.*|/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not re.findall(r'["`>](?:[A-Z][a-z]+ [a-z]+)', code), path.name


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_page_is_served_in_its_language(language: str) -> None:
    page = translated((STATIC / "page.html").read_text("utf-8"), language)
    assert f'<html lang="{language}">' in page
    assert "{{" not in page
    put = re.search(r'id="words">(.*?)</script>', page)
    assert put is not None
    assert json.loads(put[1]) == words(language)
