"""Play a match on the page of a demo that runs with `--seats`: `python -m scripts.play_demo URL`.

It has one round, and the number of presses goes to stdout.
"""

import asyncio
import re
import sys
from typing import Any

from tests.demo.panel_buttons import flip, split
from tests.demo.support import Page, buttons, having, text

PACE = 0.1
"""Seconds between two presses."""
ROUND = {"length": ["rounds=1,target=off"], "level": ["hard"]}
"""Options of a quick match."""
PATIENCE = 300.0
"""Seconds until a match that does not end counts as failed."""


async def whole_match(url: str) -> int:
    """Play to the end of the match. Return the number of presses in its round.

    Raises TimeoutError after `PATIENCE`.
    """
    presses = 0
    async with asyncio.timeout(PATIENCE), Page.of(url, "anna") as page:
        table = await page.until(lambda: page.table)
        await one_round(page, table)
        await page.press(table, ":start")
        await page.press(await page.panel_with(":ready"), ":ready")
        while await page.until(lambda: is_over(page) or playable(page)) and not is_over(page):
            panel = playable(page)
            assert panel is not None
            fit, _ = split(shown(text(panel)), buttons(panel))
            chosen = fit[0] if fit else flip(buttons(panel))
            assert chosen is not None
            await page.ask(do="press", message=panel["id"], id=chosen.id)
            presses += 1
            await asyncio.sleep(PACE)
    return presses


async def one_round(page: Page, table: dict[str, Any]) -> None:
    """Send the form of options in, with a length of one round."""
    await page.press(table, ":form")
    form = await page.until(lambda: page.state.get("form"))
    fields = [part["component"] for part in form["components"]]
    chosen = {field["custom_id"]: defaults(field) for field in fields}
    await page.ask(do="fill", values=chosen | ROUND)
    await page.until(lambda: "1 round" in text(page.table or table))


def defaults(field: dict[str, Any]) -> list[str]:
    return [one["value"] for one in field["options"] if one.get("default")]


def playable(page: Page) -> dict[str, Any] | None:
    """Return the panel, if it has cards to play."""
    panel = page.panel
    return panel if panel is not None and flip(buttons(panel)) else None


def shown(markdown: str) -> str:
    """Return text as a page shows it: no marks of headings, and an emoji by its name alone."""
    return re.sub(r"^#+ ", "", re.sub(r"<(:\w+:)\d+>", r"\1", markdown), flags=re.MULTILINE)


def is_over(page: Page) -> bool:
    """Return whether the panel offers a rematch."""
    return having(page.panel, ":rematch") is not None


if __name__ == "__main__":
    sys.stdout.write(str(asyncio.run(whole_match(*sys.argv[1:]))))
