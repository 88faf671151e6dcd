"""The page around the game: its language, its end in view, its files, its themes, its widths."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import ViewportSize

from tests.demo.browser import CHROMIUM, Person, browser
from tests.demo.support import demo
from tests.real import PATIENCE

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium, chromium-browser or google-chrome on the PATH"
)
CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
WIDE, NARROW = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)
NARROWEST = ViewportSize(width=320, height=640)
FROM_END = """() => {
    const one = document.getElementById('scroll');
    return one.scrollHeight - one.clientHeight - one.scrollTop;
}"""
OVERFLOWING = """() => [document.documentElement, ...document.body.children]
    .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
    .map(one => one.outerHTML.slice(0, 80))"""
SIZES = """() => {
    const box = document.createElement('div');
    const rows = ['h1', 'h2', 'h3', 'line', 'small'];
    box.className = 'text';
    box.innerHTML = rows.map(row => `<div class="${row}">word <img class="emoji"></div>`).join('');
    document.querySelector('.message .body').append(box);
    const found = [...box.children].map(one => {
        const {marginTop, marginBottom, fontSize} = getComputedStyle(one);
        const {height} = one.lastChild.getBoundingClientRect();
        one.lastChild.remove();
        const line = one.getBoundingClientRect().height;
        return [one.className, marginTop, marginBottom, fontSize, line, height];
    });
    box.remove();
    return found;
}"""
"""Of each kind of line: margins, the font, its height, and the height of an emoji in it."""
UPPERMOST = """() => {
    const {top} = document.getElementById('scroll').getBoundingClientRect();
    const read = [...document.querySelectorAll('.message')];
    return read.find(one => one.getBoundingClientRect().bottom > top).id;
}"""
TOP = """id => document.getElementById(id).getBoundingClientRect().top"""
GROW = """([message, pixels]) => {
    document.querySelectorAll('.message')[message].style.paddingBottom = pixels + 'px';
}"""
"""As a picture does that has loaded."""
SHRINK_AND_GROW = """() => {
    const {style} = [...document.querySelectorAll('.message')].at(-1);
    style.paddingBottom = '0px';
    const shrunk = document.getElementById('scroll').scrollTop;
    style.paddingBottom = '300px';
    return shrunk;
}"""
"""As two changes do that the browser shows at once. It scrolls up by itself in between."""


async def test_a_stranger_is_in_a_game_after_two_presses() -> None:
    async with demo("--language", "de") as running, browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna", viewport=NARROW, color_scheme="light")
        assert await anna.page.locator("html").get_attribute("lang") == "de"
        await _fits(anna)
        await _logs_can_be_checked(anna)
        play = anna.page.get_by_role("button", name="Gegen zwei Roboter spielen Ligretto").first
        assert await _is_in_view(anna, "#playcards")
        await play.click()
        await anna.press(anna.panel, "Bereit")
        await anna.panel.locator('.button[data-id*=":flip:"]').wait_for()
        await _fits(anna)
        await _end_stays(anna)
        await _private_words(anna)
        await _file_opens(anna)
        await _nothing_moves_above(anna, await Person.at(chrome, running.url, "anna"))
        await _other_language(anna)
        assert (anna.errors, anna.foreign) == ([], [])


async def test_the_page_says_that_the_connection_is_lost_and_comes_back() -> None:
    async with browser() as chrome:
        async with demo() as running:
            anna = await Person.at(chrome, running.url, "anna", viewport=WIDE)
            await anna.write("is anybody here?")
            await anna.page.get_by_text("is anybody here?").wait_for()
            await _margins_are_discords(anna)
            await _keyboard_is_enough(anna)
            port = running.url.rpartition(":")[2]
        lost = anna.page.locator("#lost")
        await lost.filter(has_text="Connection lost. Trying again").wait_for()
        await anna.write("/ligretto")
        await anna.page.get_by_text("Not connected").wait_for()
        assert await anna.page.locator("#text").input_value() == "/ligretto"
        async with demo("--port", port, "--seats", "3"):
            await anna.page.locator("#online.on").wait_for()
            assert await lost.inner_text() == ""
            await anna.sees(anna.table, "Robot 2")
            await anna.page.locator("#members .at_table", has_text="Robot 2").wait_for()


# -- what is asked -------------------------------------------------------------------------------


async def _fits(anna: Person) -> None:
    """Nothing is wider than the page, and every word can be read, in both themes."""
    for size in (WIDE, NARROWEST, NARROW):
        await anna.page.set_viewport_size(size)
        assert await anna.page.evaluate(OVERFLOWING) == [], size
    for theme in ("dark", "light"):
        await anna.page.locator("#menu summary").click()
        await anna.page.locator("#theme").select_option(theme)
        await anna.page.wait_for_timeout(50)
        assert await anna.page.evaluate(CONTRAST) == [], theme
        await anna.page.keyboard.press("Escape")
    back = "getComputedStyle(document.body).backgroundColor"
    assert await anna.page.evaluate(back) == "rgb(255, 255, 255)"
    await anna.page.locator("#people").click()
    await anna.page.locator("#members .away").get_by_text("Clara").wait_for()
    await anna.page.keyboard.press("Escape")
    await anna.page.locator("#members").wait_for(state="hidden")


async def _is_in_view(anna: Person, selector: str) -> bool:
    inside: bool = await anna.page.locator(selector).evaluate(
        "b => document.elementFromPoint(...(r => [r.x + 9, r.y + 9])(b.getBoundingClientRect())) "
        "=== b"
    )
    return inside


async def _comes_to_the_end(anna: Person) -> None:
    async with asyncio.timeout(PATIENCE):
        while await anna.page.evaluate(FROM_END) >= 1:
            await anna.page.wait_for_timeout(20)


async def _end_stays(anna: Person) -> None:
    """At the end, whatever grows and wherever the pointer rests; above it, nothing moves."""
    flip = anna.panel.locator('.button[data-id*=":flip:"]')
    await flip.hover()
    for message, pixels in ((0, 200), (-1, 200), (-1, 0), (-1, 100)):
        count = await anna.page.locator(".message").count()
        await anna.page.evaluate(GROW, [message % count, pixels])
        await _comes_to_the_end(anna)
    await anna.page.evaluate(SHRINK_AND_GROW)
    await _comes_to_the_end(anna)
    await anna.page.locator("#scroll").hover(position={"x": 5, "y": 5})
    await anna.page.mouse.wheel(0, -400)
    newest = anna.page.locator("#newest")
    await newest.wait_for()
    await anna.page.wait_for_timeout(300)
    reading = await anna.page.evaluate(UPPERMOST)
    before = await anna.page.evaluate(TOP, reading)
    await anna.page.evaluate(GROW, [await anna.page.locator(".message").count() - 1, 50])
    await anna.page.wait_for_timeout(100)
    assert await anna.page.evaluate(TOP, reading) == pytest.approx(before, abs=1)
    await newest.click()
    assert await anna.page.evaluate(FROM_END) < 1
    await anna.page.mouse.wheel(0, -400)
    await newest.wait_for()
    await anna.write("/rangliste")
    await newest.wait_for(state="hidden")


async def _nothing_moves_above(anna: Person, second: Person) -> None:
    """A message that goes further up moves nothing that is being read: see it in two tabs."""
    for _ in range(2):
        count = await anna.page.locator(".message").count()
        await anna.write("/rangliste")
        await anna.page.locator(".message").nth(count).wait_for()
    reading = anna.page.locator(".message").nth(-2)
    await anna.page.evaluate("document.getElementById('scroll').scrollTop -= 60")
    await anna.page.locator("#newest").wait_for()
    name = await reading.get_attribute("id")
    before, count = await anna.page.evaluate(TOP, name), await anna.page.locator(".private").count()
    await second.page.get_by_role("button", name="Nachricht verwerfen").first.click()
    await anna.page.wait_for_function(
        "n => document.querySelectorAll('.private').length < n", arg=count
    )
    assert await anna.page.evaluate(TOP, name) == pytest.approx(before, abs=1)


async def _margins_are_discords(anna: Person) -> None:
    """Else a screen looks better here than where it is played."""
    assert await anna.page.evaluate(SIZES) == [
        ["h1", "8px", "8px", "24px", 33, 33],
        ["h2", "16px", "8px", "20px", 27.5, 27.5],
        ["h3", "16px", "8px", "16px", 22, 22],
        ["line", "0px", "0px", "16px", 22, 22],
        ["small", "0px", "0px", "13px", 18, 17.875],
    ]


async def _keyboard_is_enough(anna: Person) -> None:
    """Typing goes to the line at the bottom; Tab, arrows and Enter complete and run a command."""
    line, keys = anna.page.locator("#text"), anna.page.keyboard
    await anna.page.locator("#scroll").focus()
    await keys.type("/lead")
    await anna.page.get_by_role("option", name="/leaderboard").wait_for()
    await keys.press("Tab")
    await keys.type("period:")
    await keys.press("ArrowDown")
    await keys.press("Enter")
    assert await line.input_value() == "/leaderboard period:This year"
    await keys.press("Enter")
    await anna.page.locator(".used", has_text="Anna used /leaderboard").wait_for()
    await keys.type("/")
    await keys.press("Escape")
    await anna.page.locator("#commands").wait_for(state="hidden")
    await line.fill("")


async def _private_words(anna: Person) -> None:
    await anna.page.get_by_text("Nur du kannst das sehen").last.wait_for()
    await anna.page.get_by_role("button", name="Nachricht verwerfen").last.wait_for()


async def _logs_can_be_checked(anna: Person) -> None:
    """On a page of its own, in the language of this one."""
    link = anna.page.get_by_role("link", name="Das Protokoll einer Partie im Browser prüfen")
    async with anna.page.expect_popup() as opening:
        await link.click()
    checking = await opening.value
    await checking.get_by_role("heading", name="Eine Partie prüfen").wait_for()
    await checking.close()


async def _file_opens(anna: Person) -> None:
    """One's own data is a file with a name, that opens as text and can be saved."""
    await anna.write("/privacy")
    await anna.page.get_by_role("button", name="Datenexport").click()
    file = anna.page.locator(".file").last
    name = await file.locator("a.link").inner_text()
    assert await file.locator("a[download]").get_attribute("download") == name
    async with anna.page.expect_popup() as opening:
        await file.locator("a.link").click()
    opened = await opening.value
    assert '"about"' in await opened.locator("body").inner_text()
    await opened.close()
    assert await anna.page.evaluate(FROM_END) < 1


async def _other_language(anna: Person) -> None:
    await anna.page.locator("#menu summary").click()
    await anna.page.locator("#language").select_option("fr")
    await anna.page.locator("html[lang=fr]").wait_for()
    await anna.page.locator("#online.on").wait_for()
    await anna.page.get_by_role("button", name="Jouer contre deux robots").first.wait_for()
