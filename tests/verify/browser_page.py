"""The page that checks logs, open in a browser, and what it makes of logs."""

import base64
from collections.abc import Sequence
from typing import Any

from playwright.async_api import Browser, Page, Request

from bot.verify.page import PAGE
from tests.real import PATIENCE
from tests.verify.verdicts import Verdict

CHECK = """logs => logs.map(one => {
    const {error, steps} = check(Uint8Array.from(atob(one), c => c.charCodeAt(0)));
    return error ? [error.line, error.why, canonical(error.values)] : [0, '', `${steps.length}`];
})"""
STEPS = """log => check(new TextEncoder().encode(log)).steps.map(one => [one.seats, one.centre])"""
SEEDS = """all => all.map(([start, match]) => {
    try { seedOf(start, match); return ''; } catch (error) { return error.why; }
})"""
STUCK = """all => all.map(([seed, start, deal, moves]) => {
    const luck = new SecondScheme(unhex(seed), 1, [0, 1, 2]);
    const round = new CardRound(deal, start, luck), schedule = new Schedule(unhex(seed), round);
    round.seats = round.seats.with(0, {...round.seats[0], hand: []});
    for (const [move, goesOn] of moves) {
        schedule.demandMove(move, goesOn);
        round.make(move.p, move.m, () => luck);
    }
    if (!round.over(new Set())) schedule.demandEnd();
})"""
DROP = """texts => {
    const data = new DataTransfer();
    for (const text of [texts].flat()) data.items.add(new File([text], 'match.jsonl'));
    const dropped = new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true});
    document.getElementById('drop').dispatchEvent(dropped);
}"""


async def opened(chrome: Browser, **options: Any) -> tuple[Page, list[str]]:
    """The page from its file, and what has gone wrong on it: errors, and all that it loads."""
    page = await chrome.new_page(**options)
    page.set_default_timeout(1000 * PATIENCE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    url = PAGE.as_uri()

    def watch(request: Request) -> None:
        if not request.url.startswith((url, "data:")):
            wrong.append(request.url)

    page.on("request", watch)
    await page.goto(url)
    return page, wrong


async def verdicts(page: Page, logs: Sequence[bytes]) -> list[Verdict]:
    """What the page finds."""
    given = [base64.b64encode(one).decode() for one in logs]
    found: list[Verdict] = await page.evaluate(CHECK, given)
    return found
