"""A person at a browser: sees what the page shows, and moves the mouse."""

import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Locator, Page, async_playwright

from tests.demo.panel_buttons import Button, flip, split
from tests.real import PATIENCE

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 1000 * PATIENCE
READ_PANEL = """panel => ({
    text: [...panel.querySelectorAll('.text > *')].map(line => {
        const copy = line.cloneNode(true);
        copy.querySelectorAll('img').forEach(one => one.replaceWith(one.alt));
        return copy.textContent;
    }).join('\\n'),
    buttons: [...panel.querySelectorAll('.button:enabled')]
        .map(b => [b.dataset.id, b.innerText.trim()]),
})"""

WATCH = """panel => {
    const box = panel.querySelector('.container');
    window.pressed = null;
    window.changed = new Promise(done => {
        let before = '';
        addEventListener('pointerdown', () => {
            before = box.innerText;
            window.pressed = performance.now();
        }, {capture: true, once: true});
        const watch = new MutationObserver(() => {
            if (window.pressed === null || box.innerText === before) return;
            watch.disconnect();
            done(performance.now());
        });
        watch.observe(box, {subtree: true, childList: true, characterData: true});
    });
}"""


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        one = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=list(ARGUMENTS), timeout=PATIENCE_MS
        )
        try:
            yield one
        finally:
            await one.close()


class Person:
    """One tab of one person."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.foreign: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)

    @classmethod
    async def at(cls, one: Browser, url: str, name: str, **options: Any) -> "Person":
        page = await one.new_page(**options)
        person = cls(page)

        def watch(request: Any) -> None:
            if not request.url.startswith((url, url.replace("http", "ws"))):
                person.foreign.append(request.url)

        page.on("request", watch)
        await page.goto(f"{url}/?as={name}")
        await page.locator("#online.on").wait_for()
        return person

    @property
    def table(self) -> Locator:
        return self.page.locator(".message:not(.private):has(.container)").last

    @property
    def panel(self) -> Locator:
        """The newest private message that has buttons of a game, or none."""
        return self.page.locator(".message.private:has(.container)").last

    async def write(self, text: str) -> None:
        await self.page.locator("#text").fill(text)
        await self.page.locator("#text").press("Enter")

    async def press(self, where: Locator, label: str) -> None:
        await where.get_by_role("button", name=label, exact=True).click()

    async def choose(self, *options: str) -> None:
        """In the form that is open: from the list that has it, or its box. Then send the form."""
        form = self.page.get_by_role("dialog")
        for option in options:
            listed = self.page.locator(f'option:text-is("{option}")')
            if await form.locator("select", has=listed).count():
                await form.locator("select", has=listed).select_option(label=option)
            else:
                await form.get_by_label(option, exact=True).check()
        await self.press(form, "Submit")
        await form.wait_for(state="detached")

    async def follow(self, where: Locator, name: str) -> None:
        """A link in a message to another place."""
        await where.locator("a.mention", has_text=name).click()
        await self.page.locator('#places a[aria-current="page"]', has_text=name).wait_for()
        await self.page.locator("#online.on").wait_for()

    async def begins(self, words: str) -> None:
        """The place begins with these words; only the channel begins with what the demo is."""
        await self.page.get_by_role("heading", name=words, exact=True).wait_for()
        assert not await self.page.locator("#playcards").is_visible()

    async def sees(self, where: Locator, words: str | re.Pattern[str]) -> None:
        await where.filter(has_text=words).wait_for()

    async def hand(self) -> tuple[str, list[Button]]:
        """The panel's words and its buttons that can be pressed."""
        seen = await self.panel.evaluate(READ_PANEL)
        return seen["text"], [Button(*pair) for pair in seen["buttons"]]

    async def click(self, button: Button) -> None:
        """A real click on it, where it is now."""
        await self.panel.locator(f'.button[data-id="{button.id}"]').click(timeout=3000)

    async def play(self, chosen: Callable[[list[Button], list[Button]], Button | None]) -> str:
        """One action of a live round: what was done, or that the round is over."""
        words, buttons = await self.hand()
        turn = flip(buttons)
        fit, misfit = split(words, buttons)
        if turn is None and not fit and not misfit:
            return "over"
        one = chosen(fit, misfit) or turn
        if one is None:
            return "nothing"
        await self.click(one)
        return "flip" if one is turn else "fit" if one in fit else "misfit"

    async def picture_after(self, act: Callable[[], Awaitable[Any]]) -> float:
        """Seconds from a press to the next change of the panel on the screen."""
        await self.panel.evaluate(WATCH)
        await act()
        seconds: float = await self.page.evaluate(
            "window.changed.then(at => (at - window.pressed) / 1000)"
        )
        return seconds


def within(seconds: float) -> Callable[[], bool]:
    """A deadline that says whether there is time left."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end
