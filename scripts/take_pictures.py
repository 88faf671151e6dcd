"""Takes the pictures in docs/pictures from a running demo: `python -m scripts.take_pictures`."""

import asyncio
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.async_api import ViewportSize

from bot.demo.backend.world import FIRST_ID, GUILD, PEOPLE
from bot.i18n import languages, say
from bot.ids import GuildId, UserId
from bot.text import Text
from tests.demo.browser import Person, browser, within
from tests.demo.support import demo
from tests.store.conftest import opened
from tests.store.matches import match, play

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
WIDE = ViewportSize(width=1280, height=960)
NARROW = ViewportSize(width=390, height=844)
NARROWEST = ViewportSize(width=320, height=844)
ROUND = 300.0
"""Seconds a round may take."""
MID_ROUND = 14
"""Cards and flips of ours before the picture of a round is taken."""
MATCHES = 60
DAY = 24 * 60 * 60 * 1000


async def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    await _ligretto()
    await _dice()
    await _records()
    for language in languages():
        await _table_in(language)


async def _ligretto() -> None:
    """Picture a table of Ligretto, from the lobby to the score of a round."""
    async with demo() as running, browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna", viewport=NARROW)
        await anna.write("/ligretto")
        await anna.panel.wait_for()
        await _faces_are_there(anna)
        for number in (1, 2, 3):
            await anna.press(anna.table, "Add robot")
            await anna.sees(anna.table, f"Robot {number}")
        await _picture(anna, "lobby-390")
        await anna.press(anna.table, "Start")
        await anna.press(anna.panel, "Ready")
        await anna.panel.get_by_role("button", name="Flip", disabled=False).wait_for()
        for _ in range(MID_ROUND):
            await _act(anna)
        await _in_every_width(anna, "table")
        left = within(ROUND)
        again = anna.panel.get_by_role("button", name="Next round")
        while left() and not await again.is_visible():
            await _act(anna)
        await anna.sees(anna.table, "Next round")
        await _in_every_width(anna, "score")
        assert not anna.errors, anna.errors


async def _dice() -> None:
    """Picture a round of Ligretto Dice, and the same panel as plain text."""
    async with demo() as running, browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna", viewport=NARROW)
        await anna.write("/dice")
        await anna.panel.wait_for()
        await _faces_are_there(anna)
        await anna.press(anna.table, "Add robot")
        await anna.sees(anna.table, "Robot 1")
        await anna.press(anna.table, "Start")
        await anna.press(anna.panel, "Ready")
        roll = anna.panel.get_by_role("button", name="Roll")
        for _ in range(3):
            await roll.click()
            await asyncio.sleep(1.5)
        await _picture(anna, "dice-390")
        playing = anna.page.locator(".message.private:has(.container)").last
        await anna.write("/plain")
        await playing.filter(has_text="Red: ").wait_for()
        await anna.page.get_by_text("Plain text is on").wait_for()
        await _picture(anna, "plain-390")
        assert not anna.errors, anna.errors


async def _records() -> None:
    """Picture the card and the records of a server in which two people have played for months."""
    with TemporaryDirectory() as folder:
        kept = Path(folder) / "demo.sqlite3"
        await _months_of_matches(kept)
        async with demo("--keep", str(kept)) as running, browser() as chrome:
            anna = await Person.at(chrome, running.url, "anna", viewport=NARROW)
            await anna.write("/stats")
            await anna.panel.locator("img:not(.emoji)").first.wait_for()
            await _picture(anna, "stats-390")
            await anna.write("/records")
            await anna.page.get_by_text("Fastest stop").wait_for()
            await _picture(anna, "records-390")
            assert not anna.errors, anna.errors


async def _months_of_matches(database: Path) -> None:
    """Write matches of the demo's people: Anna wins more of them as time passes."""
    luck = Random(3)  # noqa: S311 the same matches each time
    anna, *others = (UserId(FIRST_ID + 10 + number) for number in range(len(PEOPLE)))
    names = {UserId(FIRST_ID + 10 + i): name.title() for i, (name, _) in enumerate(PEOPLE)}
    now = int(time.time() * 1000)
    async with opened(database) as store:
        for number in range(MATCHES):
            own, theirs = luck.randint(2, 12 + number // 4), luck.randint(2, 16)
            users: dict[UserId | None, int] = {anna: own, luck.choice(others): theirs}
            ended = now - (MATCHES - number) * DAY
            one = match(users, at=ended, guild=GuildId(GUILD), names=names)
            lasted = luck.randint(50_000, 110_000)
            rounds = tuple(
                replace(
                    one_round,
                    lasted=lasted,
                    by=int(theirs > own),
                    duels=tuple(replace(duel, ms=luck.randint(9, 300)) for duel in one_round.duels),
                )
                for one_round in one.rounds
            )
            await play(store, replace(one, rounds=rounds))


async def _faces_are_there(anna: Person) -> None:
    """Change a table until it shows the faces, for a minute at most.

    It does so from the first change on after all have been uploaded.
    """
    left = within(60)
    while left() and not await anna.table.locator("img.emoji").count():
        for label in ("Add robot", "Remove robot"):
            await anna.press(anna.table, label)
            await asyncio.sleep(1.5)


async def _table_in(language: str) -> None:
    """Picture a table and a panel in the middle of a round, in one language."""

    def button(key: str) -> str:
        return say(Text(key), language)

    async with demo("--language", language) as running, browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna", viewport=NARROW)
        await anna.write("/ligretto")
        await anna.panel.wait_for()
        for number in (1, 2):
            await anna.press(anna.table, button("button.add"))
            await anna.sees(anna.table, say(Text("robot.name", (("number", number),)), language))
        await anna.press(anna.table, button("button.start"))
        await anna.press(anna.panel, button("button.ready"))
        flip = anna.panel.get_by_role("button", name=button("ligretto.flip"))
        await flip.wait_for()
        for _ in range(3):
            await flip.click()
            await asyncio.sleep(1.5)
        await _picture(anna, f"table-{language}")
        assert not anna.errors, anna.errors


async def _act(person: Person) -> None:
    await person.play(lambda fit, _: fit[0] if fit else None)
    await asyncio.sleep(0.7)


async def _in_every_width(person: Person, name: str) -> None:
    for size in (NARROWEST, WIDE, NARROW):
        await person.page.set_viewport_size(size)
        await _picture(person, f"{name}-{size['width']}")


async def _picture(person: Person, name: str) -> None:
    await person.page.mouse.move(0, 0)
    await person.page.evaluate("document.activeElement.blur()")
    await asyncio.sleep(1.5)  # the table is redrawn once a second
    await person.page.evaluate("document.getElementById('scroll').scrollTop = 1e6")
    await person.page.screenshot(path=PICTURES / f"{name}.png")
    sys.stdout.write(f"{PICTURES / name}.png\n")


if __name__ == "__main__":
    asyncio.run(main())
