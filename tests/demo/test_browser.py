"""The demo as people meet it: in a browser, with a mouse."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from playwright.async_api import Error, Locator

from tests.demo.browser import CHROMIUM, Person, browser, within
from tests.demo.panel_buttons import Button, card, flip, split
from tests.demo.support import Demo, demo

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium, chromium-browser or google-chrome on the PATH"
)
MATCH = 900.0
"""Seconds in which a match of one round ends on a busy machine as well."""
REDRAWN = """panel => new Promise(done => {
    new MutationObserver((_, watch) => { watch.disconnect(); done(); })
        .observe(panel, {subtree: true, childList: true, characterData: true});
})"""
"""Done when what the panel says has changed."""
REFUSED = re.compile("Too late|isn’t on top|already|needs", re.IGNORECASE)


@pytest.fixture
async def running() -> AsyncIterator[Demo]:
    async with demo() as one:
        yield one
        code, _ = await one.end()
        assert code == 0


async def test_a_match_from_the_first_word_to_the_rematch(running: Demo) -> None:
    async with browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna")
        await _open(anna)
        await anna.press(anna.table, "Join")
        for number in (1, 2):  # each makes the message taller
            await anna.press(anna.table, "Add robot")
            await anna.sees(anna.table, f"Robot {number}")
        await _one_round(anna)
        await _start(anna)
        done, times = await _play_on(anna)
        assert done["fit"] >= 8
        assert done["flip"] >= 5
        assert done["refused"] >= 1
        assert times, "presses change the picture"
        await anna.press(anna.table, "Rematch")  # alone among robots: it begins at once
        await anna.sees(anna.table, "round 1")
        await _restart(anna)
        assert (anna.errors, anna.foreign) == ([], [])


async def test_two_people_race_and_see_the_same(running: Demo) -> None:
    async with browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna")
        ben = await Person.at(chrome, running.url, "ben", viewport={"width": 390, "height": 844})
        await _open(anna)
        await ben.press(ben.table, "Join")
        await anna.sees(anna.table, "Ben")
        await _start(anna, ben)
        for person in (anna, ben):
            await person.panel.get_by_role("button", name="Flip", disabled=False).wait_for()
        assert await _race(anna, ben)
        assert (anna.errors, ben.errors) == ([], [])


async def test_a_press_counts_however_often_the_message_is_redrawn_meanwhile() -> None:
    async with demo("--seats", "4") as running, browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna", viewport={"width": 390, "height": 844})
        await anna.sees(anna.table, "Robot 3")
        await _start(anna)
        turn = anna.panel.get_by_role("button", name="Flip", disabled=False)
        await turn.hover()
        before = await _place(turn)
        await anna.page.mouse.down()
        await anna.panel.evaluate(REDRAWN)
        assert await _place(turn) == pytest.approx(before, abs=1)
        await anna.page.mouse.up()
        await anna.sees(anna.panel, "Turned up")


# -- what happens in them ------------------------------------------------------------------------


async def _place(button: Locator) -> tuple[float, float]:
    box = await button.bounding_box()
    assert box is not None
    return box["x"], box["y"]


async def _open(person: Person) -> None:
    """`/` lists the command; Enter runs it."""
    await person.page.locator("#text").press_sequentially("/lig")
    await person.page.get_by_role("option", name="/ligretto").wait_for()
    await person.page.locator("#text").press("Enter")
    await person.table.wait_for()
    await person.panel.wait_for()


async def _one_round(person: Person) -> None:
    await person.press(person.table, "Options")
    await person.page.get_by_role("dialog").wait_for()
    await person.choose("1 round")
    await person.sees(person.table, "1 round")


async def _play_on(person: Person) -> tuple[Counter[str], list[float]]:
    """Play the match to its end. What was done, and how long the pictures took."""
    done: Counter[str] = Counter()
    times: list[float] = []
    again = person.table.get_by_role("button", name="Rematch")
    left = within(MATCH)
    while left() and not await again.is_visible():
        try:
            async with asyncio.timeout(5):
                times.append(await person.picture_after(lambda: _act(person, done)))
        except (TimeoutError, Error):
            done["nothing"] += 1  # the round has not begun or is over
            await asyncio.sleep(0.2)
        done["refused"] += bool(REFUSED.search(await person.panel.inner_text()))
        await asyncio.sleep(0.1)
    await again.wait_for()
    return done, times


async def _act(person: Person, done: Counter[str]) -> None:
    """A card that fits; now and then one that does not; else the next three."""

    def choose(fit: list[Button], misfit: list[Button]) -> Button | None:
        if misfit and done["misfit"] * 10 < done["flip"] + done["fit"]:
            return misfit[0]
        return fit[0] if fit else None

    what = await person.play(choose)
    done[what] += 1
    if what in {"over", "nothing"}:
        raise TimeoutError


async def _restart(person: Person) -> None:
    """The bot goes and comes back: the same message goes on."""
    before = await person.table.get_attribute("id")
    await person.page.get_by_label("Menu").click()
    await person.page.get_by_role("button", name="Restart the bot").click()
    await person.page.locator("#online.off").wait_for()
    await person.press(person.table, "My cards")
    await person.page.get_by_text("This interaction failed").wait_for()
    await person.page.locator("#online.on").wait_for()
    await person.press(person.table, "Ready")
    await person.sees(person.panel, "Your row")
    assert await person.table.get_attribute("id") == before


async def _race(anna: Person, ben: Person) -> bool:
    """Both aim at one place until one of them comes too late; then both see the same centre."""
    chance = random.Random(1)
    left = within(MATCH)
    while left():
        if await anna.panel.get_by_role("button", name="Next round").is_visible():
            await _next_round(anna, ben)
        if (shared := await _shared(anna, ben)) is None:
            for person in (anna, ben):
                with suppress(Error):  # the other's card has ended the round meanwhile
                    await person.play(lambda fit, _: chance.choice(fit) if fit else None)
            continue
        await asyncio.gather(anna.click(shared[0]), ben.click(shared[1]))
        await asyncio.sleep(0.3)
        said = [await person.panel.inner_text() for person in (anna, ben)]
        if any(REFUSED.search(words) for words in said):
            return await _agree(anna, ben)
    return False


async def _start(host: Person, *others: Person) -> None:
    """Everybody sees that the match has started before they are ready: pages are not one line."""
    await host.press(host.table, "Start")
    for person in (host, *others):
        await person.table.get_by_role("button", name="Ready").wait_for()
        await person.press(person.panel, "Ready")


async def _next_round(*people: Person) -> None:
    for person in people:
        await person.press(person.panel, "Next round")
    for person in people:
        await person.panel.get_by_role("button", name="Flip", disabled=False).wait_for()


async def _agree(anna: Person, ben: Person) -> bool:
    """Pushes come to rest: both see the same four lines."""
    for _ in range(20):
        if await _centre(anna) == await _centre(ben):
            return True
    return False


async def _shared(anna: Person, ben: Person) -> tuple[Button, Button] | None:
    """The same card in both hands that fits one pile only; never a 1, which opens its own."""
    hands = []
    for person in (anna, ben):
        fit, _ = split(*await person.hand())
        hands.append({card(button): button for button in fit})
    both = [face for face in hands[0] if face in hands[1] and face is not None and face[1] > 1]
    return (hands[0][both[0]], hands[1][both[0]]) if both else None


async def _centre(person: Person) -> list[str]:
    """The four lines, once the panel has come to rest."""
    await asyncio.sleep(0.5)
    words: list[str] = await person.panel.locator("code").all_inner_texts()
    assert flip((await person.hand())[1]) is not None or words
    return words[:4]


async def test_values_a_persons_menu_and_channels_are_chosen_as_on_discord(running: Demo) -> None:
    async with browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna", viewport={"width": 390, "height": 844})
        answer = anna.page.locator(".message.private").last
        line, offered = anna.page.locator("#text"), anna.page.locator("#commands [role=option]")
        await line.fill("/settings ti")
        await offered.get_by_text("time_zone:", exact=True).wait_for()
        await line.press("Enter")
        await line.press_sequentially("berl")
        await offered.get_by_text("Europe/Berlin", exact=True).wait_for()
        for _ in range(2):
            await line.press("Enter")
        await anna.sees(answer, "Time zone of leaderboards: Europe/Berlin")
        await anna.press(answer, "Posts")
        channels = answer.locator("select").first
        await channels.select_option(label="# game-night")
        chosen = channels.locator("option:checked", has_text="# game-night")
        await chosen.wait_for(state="attached")
        await line.fill("/leaderboard dice")
        await line.press("Enter")
        await anna.sees(anna.page.locator("#trouble"), "which option is dice?")
        await anna.page.locator("#people").click()
        await anna.page.get_by_label("Apps for Ben").click()
        await anna.page.locator(".apps[open] button").click()
        await anna.sees(answer, "Stats · Ben")
        assert (anna.errors, anna.foreign) == ([], [])


async def test_a_thread_and_direct_messages_are_places_of_their_own(running: Demo) -> None:
    """What a host may choose can be seen: links lead there, and the table goes on."""
    async with browser() as chrome:
        anna = await Person.at(chrome, running.url, "anna")
        await _open(anna)
        await anna.press(anna.table, "Add robot")
        await anna.press(anna.table, "Options")
        await anna.page.get_by_role("dialog").wait_for()
        await anna.choose(
            "expert: play onto your row",
            "panels as direct messages",
            "table in its own thread",
        )
        await anna.follow(anna.table, "Ligretto · Anna")
        await anna.begins("This is the beginning of the thread Ligretto · Anna.")
        await anna.sees(anna.table, "Robot 1")
        await anna.sees(anna.table, "expert")
        await anna.press(anna.table, "Start")
        await anna.press(anna.table, "My cards")
        await anna.follow(anna.page.locator(".message.private").last, "Direct messages")
        await anna.begins("This is the beginning of your direct messages with Ligretto.")
        await anna.press(anna.table, "Ready")
        await anna.sees(anna.table, "Your row")
        await anna.press(anna.table, "Flip")
        await anna.sees(anna.table, "Turned up")
        assert (anna.errors, anna.foreign) == ([], [])
