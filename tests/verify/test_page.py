"""The page that shows a log and checks it, in a real browser: by drop, by keyboard and by roles."""

import json
import re
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

import pytest
from playwright.async_api import Browser, Page, ViewportSize

from bot.games.chance_scheme import Scheme
from bot.i18n import languages
from bot.records.match_log import named
from bot.verify.cards import CardRound
from bot.verify.dice import DiceRound
from bot.verify.errors import WORDS
from bot.verify.lines import Line
from bot.verify.page import PAGE
from bot.verify.referee import Referee
from tests.demo.browser import CHROMIUM, browser
from tests.records.test_log import contested_match
from tests.verify.browser_page import DROP, SEEDS, STEPS, opened, verdicts
from tests.verify.damages import ODD, damaged, forged, lines_of, text_of
from tests.verify.evenings import KINDS, log, old_log, raced_log
from tests.verify.verdicts import verdict

SOME = 30
CONTRAST = (Path(__file__).parents[1] / "demo" / "contrast.js").read_text()
NARROWEST = ViewportSize(width=320, height=640)
NAMES = ["Anna", "Ben", "Chiara", "Dirk", "Émile", "<b>Fenna</b>"]
TEXT = PAGE.read_text("utf-8")
WORDS_BLOCK = re.compile(r'<script type="application/json" id="words">(.*?)</script>', re.DOTALL)
TABLE = json.loads(WORDS_BLOCK.findall(TEXT)[0])


def gaps(text: str) -> set[str]:
    return {gap for _, gap, _, _ in Formatter().parse(text) if gap}


def test_the_page_loads_nothing_and_may_load_nothing() -> None:
    assert "default-src 'none'" in TEXT
    assert not re.search(r"https?:|src=|import |fetch\(|XMLHttp|WebSocket|innerHTML", TEXT)


@pytest.mark.parametrize("language", sorted(languages()))
def test_no_word_of_the_page_is_missing(language: str) -> None:
    english, own = TABLE["en"], TABLE[language]
    assert list(own) == list(english)
    assert list(own["faults"]) == list(english["faults"])
    pairs = [(own["faults"][key], english["faults"][key]) for key in english["faults"]]
    pairs += [(own[key], english[key]) for key in english if key != "faults"]
    for text, meant in pairs:
        assert text
        assert gaps(text) == gaps(meant), text


def test_the_page_and_the_command_say_the_same() -> None:
    assert TABLE["en"]["faults"] == WORDS


class Watched(Referee):
    """Keeps the table after each line, as the page has it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.kept: list[list[Any]] = [[None, None]]
        self.latest: CardRound | DiceRound | None = None

    def _follows(self, line: Line) -> None:
        super()._follows(line)
        round_ = self.latest = self.round or self.latest
        if isinstance(round_, CardRound):
            laid = [sum(p == owner for _, owner in round_.taken) for p in range(len(round_.seats))]
            seats: list[Any] = [
                seat and {**vars(seat), "laid": laid[p]} for p, seat in enumerate(round_.seats)
            ]
            self.kept.append(json.loads(json.dumps([seats, round_.tops])))
        elif round_ is not None:
            board = {colour: round_.board[colour] for colour in "RYGB"}
            self.kept.append(json.loads(json.dumps([round_.seats, board])))


@pytest.mark.real("a browser")
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium or google-chrome on the PATH")
async def test_the_page_in_a_browser() -> None:
    """One start of the browser for all questions."""
    async with browser() as chrome:
        await finds_what_the_command_finds(chrome)
        text = named(text_of(await contested_match()), NAMES)
        await is_used_by_drop_and_keyboard(chrome, text)
        await fits_a_narrow_phone(chrome, text)


async def finds_what_the_command_finds(chrome: Browser) -> None:
    """The same line, for the same reason; and each table as it was."""
    page, wrong = await opened(chrome)
    luck = Random(5)
    logs = [await log(seed, scheme) for seed in (0, 1, 2) for scheme in Scheme]
    old = (await old_log(3)).encode()
    damages = [damaged, forged] * SOME
    broken = [damage(luck.choice(logs), luck)[1] for damage in damages]
    odd = [change(await raced_log()) for change, _ in ODD.values()]
    given = [*(one.encode() for one in logs), old, *odd, *broken]
    found = await verdicts(page, given)
    assert found == [verdict(one) for one in given]
    assert all(line > 0 for line, _, _ in found[-len(broken) :])
    for one in logs[::2]:
        referee = Watched(one)
        referee.check()
        assert await page.evaluate(STEPS, one) == referee.kept
    assert await page.evaluate(SEEDS, [ends for ends, _ in KINDS]) == [why for _, why in KINDS]
    assert not wrong
    await page.close()


async def is_used_by_drop_and_keyboard(chrome: Browser, text: str) -> None:
    page, wrong = await opened(chrome, locale="en-GB", color_scheme="dark")
    lines = lines_of(text)
    await page.evaluate(DROP, text)
    await says(page, f"All {len(lines)} lines fit.")
    for _ in range(3):  # language, file, then the first button
        await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.id") == "first"
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await shows(page, f"Line 3 of {len(lines)}")
    await page.keyboard.press("End")
    await shows(page, "The match ends.")
    await page.keyboard.press("PageUp")
    await shows(page, "Round 6 is dealt")
    await page.keyboard.press("Home")
    await page.get_by_role("button", name="Next refusal").focus()
    await shows_a_lost_race(page, text)
    await page.get_by_role("combobox", name="Round").select_option("Round 2")
    await shows(page, "Round 2 is dealt")
    assert not await page.evaluate(CONTRAST)
    await page.get_by_role("combobox", name="Language").select_option("Deutsch")
    await says(page, f"Alle {len(lines)} Zeilen stimmen.")
    assert await page.locator("html").get_attribute("lang") == "de"
    assert not wrong
    await page.close()


async def shows_a_lost_race(page: Page, text: str) -> None:
    """Who was first, by how much, and the cards of the seat that was late."""
    lines = lines_of(text)
    race = next(i for i, one in enumerate(lines) if "rival" in one)
    for _ in range(sum(one["e"] == "reject" for one in lines[: race + 1])):
        await page.keyboard.press("Enter")
    told = lines[race]
    await shows(page, f"{NAMES[told['rival']]} was there {told['margin']} ms earlier")
    seat = page.get_by_role("region", name=NAMES[told["p"]])
    assert await seat.get_by_role("img").count() == cards_of(text, race, told["p"])
    await page.get_by_role("slider", name="Line").focus()
    await page.keyboard.press("ArrowLeft")
    await shows(page, f"Line {race} of {len(lines)}")


def cards_of(text: str, number: int, p: int) -> int:
    referee = Watched(text)
    referee.check()
    seat = referee.kept[number][0][p]
    row = sum(map(len, seat["row"]))
    return row + len(seat["ligretto"]) + len(seat["hand"]) + len(seat["discard"])


async def fits_a_narrow_phone(chrome: Browser, text: str) -> None:
    """A log that is chosen; its first line that doesn't fit is told, and shown as it stands."""
    page, wrong = await opened(chrome, locale="fr", viewport=NARROWEST, color_scheme="light")
    broken = text.replace('"t":', '"t": 1', 41)
    file = {"name": "match.jsonl", "mimeType": "text/plain", "buffer": broken.encode()}
    await page.get_by_label("Dépose ici").set_input_files(files=file)  # type: ignore[arg-type]
    line, *_ = verdict(broken.encode())
    await says(page, f"La ligne {line} n'est pas juste")
    assert await page.locator("#bad").text_content() == broken.split("\n")[line - 1]
    assert not await page.evaluate(CONTRAST)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert await page.evaluate(wide) == 0
    assert not wrong
    await page.close()


async def says(page: Page, words: str) -> None:
    await page.get_by_role("status").filter(has_text=words).wait_for()


async def shows(page: Page, words: str) -> None:
    await page.locator("#event").filter(has_text=words).wait_for()
