"""Takes the pictures in docs/pictures from a running demo: `python -m docs.take_pictures`."""

import asyncio
import sys
from pathlib import Path

from bot.games.screen import Text
from bot.i18n import languages, say
from tests.demo.browser import Person, browser, within
from tests.demo.support import demo

PICTURES = Path(__file__).parent / "pictures"
WIDE, NARROW = {"width": 1280, "height": 960}, {"width": 390, "height": 844}
ROUND = 300.0
"""Seconds a round may take."""
MID_ROUND = 14
"""Cards and flips of ours before the picture of a round is taken."""


async def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    async with demo() as running, browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna", viewport=NARROW)
        await anna.write("/ligretto")
        await anna.panel.wait_for()
        for _ in range(3):
            await anna.press(anna.table, "Add")
        await anna.sees(anna.table, "4. 🤖")
        await _picture(anna, "lobby-390")
        await anna.press(anna.table, "Start")
        await anna.press(anna.panel, "Ready")
        await anna.panel.get_by_role("button", name="Flip").wait_for()
        for _ in range(MID_ROUND):
            await _act(anna)
        await _picture(anna, "table-390")
        await anna.page.set_viewport_size(WIDE)
        await _picture(anna, "table-1280")
        await anna.page.set_viewport_size(NARROW)
        left = within(ROUND)
        again = anna.panel.get_by_role("button", name="Next round")
        while left() and not await again.is_visible():
            await _act(anna)
        await anna.sees(anna.table, "Next round")
        await _picture(anna, "score-390")
        assert not anna.errors, anna.errors
    for language in languages():
        await _table_in(language)


async def _table_in(language: str) -> None:
    """A table and a panel in the middle of a round, in one language."""

    def button(key: str) -> str:
        return say(Text(key), language)

    async with demo("--language", language) as running, browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna", viewport=NARROW)
        await anna.write("/ligretto")
        await anna.panel.wait_for()
        for _ in range(2):
            await anna.press(anna.table, button("button.add"))
        await anna.sees(anna.table, "3. 🤖")
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


async def _picture(person: Person, name: str) -> None:
    await person.page.mouse.move(0, 0)
    await person.page.evaluate("document.activeElement.blur()")
    await asyncio.sleep(1.5)  # the table is redrawn once a second
    await person.page.evaluate("scroll.scrollTop = scroll.scrollHeight")
    await person.page.screenshot(path=PICTURES / f"{name}.png")
    sys.stdout.write(f"{PICTURES / name}.png\n")


if __name__ == "__main__":
    asyncio.run(main())
