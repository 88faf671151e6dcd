"""The page that shows a log and checks it, in a real browser: by drop, by keyboard and by roles."""

import re
from collections.abc import Iterator
from random import Random
from string import Formatter

import pytest
from playwright.async_api import Browser

from bot.games import GAMES
from bot.games.chance_scheme import Scheme
from bot.i18n import catalogues, languages, say
from bot.records.match_log import named
from bot.text import Text
from bot.verify.log.errors import WORDS
from tests.daily.false_logs import FALSE, false_log
from tests.daily.stuck import stuck_steps
from tests.demo.browser import CHROMIUM, browser
from tests.records.test_log import contested_match
from tests.verify.browser_page import SEEDS, STEPS, STUCK, opened, verdicts
from tests.verify.damages import damaged, forged, lines_of, text_of
from tests.verify.evenings import KINDS, dice_log, log, old_log, raced_log
from tests.verify.handed_out import HURT
from tests.verify.odd_logs import ODD, ODD_DICE
from tests.verify.page_use import (
    NAMES,
    fits_a_narrow_phone,
    is_told_of_each_file,
    is_used_by_drop_and_keyboard,
    shows_cards_as_the_bot_does,
    tells_what_seats_do,
)
from tests.verify.page_words import TABLE, TEXT
from tests.verify.verdicts import verdict
from tests.verify.watched import Watched

SOME = 15


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
    letters = [say(Text(f"letter.{colour}"), language) for colour in "rygb"]
    assert own["letters"] == "".join(letters), "a card has the letter that it has at the table"
    pairs = [(own["faults"][key], english["faults"][key]) for key in english["faults"]]
    pairs += [(own[key], english[key]) for key in english if key != "faults"]
    for text, meant in pairs:
        assert text
        assert gaps(text) == gaps(meant), text


NAMED = {
    "lead": ("name.replay", "name.daily"),
    "shown_promise": ("table.promise",),
    "arena_promise": ("table.promise",),
    "link": ("button.fair",),
    "started": ("button.start",),
    "shown_digest": ("button.fair",),
    "daily": ("name.daily",),
    "arena": ("button.fair",),
    "m_flip": ("ligretto.flip",),
    "m_roll": ("dice.roll",),
    "ligretto": ("ligretto.pile.plainly",),
    "dice": ("dice.left",),
    "r_ligretto": ("learn.stop",),
    "R": ("colour.r",),
    "Y": ("colour.y",),
    "G": ("colour.g",),
    "B": ("colour.b",),
}
"""What the page names as the bot does: commands, buttons, labels, colours."""


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_page_names_things_as_the_bot_does(language: str) -> None:
    for key, names in NAMED.items():
        for name in names:
            called = as_named(name, language)
            assert called in TABLE[language][key].replace("\N{NO-BREAK SPACE}", " "), (key, called)


def as_named(key: str, language: str) -> str:
    """Return a name without what the bot shows behind it: a value, or how many are left."""
    words = catalogues()[language].words[key]
    words = words if isinstance(words, str) else words[0]
    name = re.split(r"\s*(?::|\(?\{)", words)[0].replace("\N{NO-BREAK SPACE}", " ")
    return f"/{name}" if key.startswith("name.") else name


def test_the_page_and_the_command_say_the_same() -> None:
    """But for apostrophes: not every terminal has curved ones."""
    english = {key: words.replace("’", "'") for key, words in TABLE["en"]["faults"].items()}
    assert english == WORDS


@pytest.mark.real("a browser")
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium or google-chrome on the PATH")
async def test_the_page_in_a_browser(handed_out: dict[str, str]) -> None:
    """One start of the browser for all questions."""
    async with browser() as chrome:
        await finds_what_the_command_finds(chrome, handed_out)
        text = named(text_of(await contested_match()), NAMES)
        await is_used_by_drop_and_keyboard(chrome, text)
        await fits_a_narrow_phone(chrome, text)
        await is_told_of_each_file(chrome, text)
        await tells_what_seats_do(chrome, handed_out)
        await shows_cards_as_the_bot_does(chrome)


async def finds_what_the_command_finds(chrome: Browser, handed_out: dict[str, str]) -> None:
    """The same line, for the same reason; and each table as it was."""
    page, wrong = await opened(chrome)
    luck = Random(5)
    logs = [await log(seed, scheme) for seed in (0, 1, 2) for scheme in Scheme]
    old = (await old_log(3)).encode()
    damages = [damaged, forged] * SOME
    broken = [damage(luck.choice(logs), luck)[1] for damage in damages]
    false = [false_log(game, fault).encode() for game in sorted(GAMES) for fault in FALSE]
    raced, dice = await raced_log(), await dice_log()
    odd = [change(raced) for change, _ in ODD.values()]
    odd += [change(dice) for change, _ in ODD_DICE.values()]
    given = [*(one.encode() for one in logs), old, *odd, *hurt(handed_out), *false, *broken]
    found = await verdicts(page, given)
    assert found == [verdict(one) for one in given]
    assert all(line > 0 for line, _, _ in found[-len(broken) :])
    for one in logs[::2]:
        referee = Watched(one)
        referee.check()
        assert await page.evaluate(STEPS, one) == referee.kept
    assert await page.evaluate(SEEDS, [ends for ends, _ in KINDS]) == [why for _, why in KINDS]
    stuck = [[one.seed.hex(), one.start, one.deal, one.moves] for one in stuck_steps()]
    await page.evaluate(STUCK, stuck)
    assert not wrong
    await page.close()


def hurt(handed_out: dict[str, str]) -> Iterator[bytes]:
    """What the bot handed out, whole and damaged in each way."""
    for text in handed_out.values():
        yield text.encode()
        for damage in HURT:
            lines = lines_of(text)
            damage(lines)
            yield text_of(lines).encode()
