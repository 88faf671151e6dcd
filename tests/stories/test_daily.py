"""The deal of the day: the same for everybody, once, by presses alone."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest

from bot.fakediscord import Channel, Message
from bot.tables.state.match_seed import mixed
from tests.stories.calendar import until
from tests.stories.daily import Alone, alone, secrets, stored
from tests.stories.test_secrets import forgotten
from tests.stories.world import World, at_rest, given, labels

UTC = "UTC"
TODAY, TOMORROW, THIRD = "2026-06-01", "2026-06-02", "2026-06-03"
NOT_BEGUN = "You haven’t started this round"
USED = "You played this deal before you deleted your data"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A world in which it is noon of a day, UTC, and the bot runs for the first time."""
    async with at_rest(tmp_path) as one:
        until(f"{TODAY} 12:00", UTC)
        await one.start()
        yield one


async def wakes(world: World, date: str) -> None:
    """Have the bot away until a date, and start it then."""
    if world.bot.is_running:
        _ = await world.bot.stop()
    until(date, UTC)
    await world.start()


def told(person: Alone) -> str:
    """The newest private words of somebody."""
    return person.server.panels(person.user, person.channel)[-1].text


def elsewhere_in(world: World) -> Channel:
    """A channel of another server that the bot is in."""
    return next(iter(world.server.add_guild("elsewhere").channels.values()))


def shares(message: Message) -> list[str]:
    return re.findall("[🟩🟨🟥]{4}", message.text)


async def test_cards_and_dice_are_played_to_their_end(world: World) -> None:
    """Two people, two servers: the same deal. What they finish is told here, and to who asks."""
    elsewhere = elsewhere_in(world)
    anna, ben = alone(world, "anna"), alone(world, "ben", elsewhere)
    for game in ("ligretto", "dice"):
        deals = [(await one.begin(game)).data["components"] for one in (anna, ben)]
        assert deals[0] == deals[1], "everybody is dealt the same"
        await anna.finish()
        _, presses, points = stored(world, anna, game)
        given(points is not None, "she has finished")
        assert f"in {presses} presses" in anna.shown.text
        assert len(shares(anna.shown)) == 1
        assert "On this server so far · 1 player\n🥇 **Anna**" in anna.shown.text
        assert "Ben" not in anna.shown.text
    assert stored(world, ben, "dice")[1] == 0
    _ = await anna.tap("Share here")
    shared = world.public
    assert shared.text.startswith("**Anna** · Deal of the day 2026-06-01\nLigretto Dice: ")
    assert len(shares(shared)) == 1
    assert not shared.pings
    assert not [word for word in ("🔴", "R1", "Robot") if word in shared.text], "no spoilers"
    _ = await anna.tap("Share here")
    assert world.public is shared, "a second click posts nothing"
    assert "is already in this channel" in told(anna)
    _ = await anna.tap("Deal of the day")
    assert labels(anna.shown) == {"Ligretto", "Ligretto Dice", "Rules", "Fair deal?"}
    assert not world.said()


async def test_thinking_moves_nobody_and_refused_presses_do_not_count(world: World) -> None:
    anna = alone(world, "anna")
    await anna.begin()
    flip = next(one for one in anna.moves if ":flip:" in one)
    _ = await anna.send(flip)
    after = anna.shown.text
    given("1 press ·" in after, after)
    _ = await anna.send(flip)
    assert "1 press ·" in anna.shown.text
    assert "✖" in anna.shown.text
    await asyncio.sleep(3600)
    _ = await anna.send(flip)
    centre = [
        line for line in after.splitlines() if line.startswith(("🔴", "🔶", "🟩", "🔷", "-# Pile"))
    ]
    assert all(line in anna.shown.text for line in centre), "nothing ran meanwhile"
    assert stored(world, anna)[1] == 1


async def test_a_kill_in_the_middle_loses_nothing(world: World) -> None:
    """The panel that is there goes on after it, and so does another."""
    anna = alone(world, "anna")
    old = await anna.begin()
    for _ in range(3):
        await anna.act()
    before = stored(world, anna)
    world.bot.kill()
    await world.start()
    assert stored(world, anna) == before
    _ = await anna.flip()
    assert stored(world, anna)[1] == 4
    new = await anna.begin()
    assert new is not old
    assert "4 presses" in new.text
    _ = await anna.flip()
    anna.shown = old
    _ = await anna.flip()
    assert stored(world, anna)[1] == 5, "the old panel shows a flip that was made"
    assert "5 presses" in old.text
    await anna.finish()
    assert stored(world, anna)[2] is not None
    assert not world.said()


async def test_a_stored_press_counts_though_nobody_was_answered(world: World) -> None:
    """The process dies between the disk and the answer, and the same button is pressed again."""
    anna = alone(world, "anna")
    panel = await anna.begin()
    flip = next(one for one in anna.moves if ":flip:" in one)
    world.server.settings.rtt = 5.0
    _ = world.server.click(anna.user, panel, flip)
    await world.server.wait_for(lambda: stored(world, anna)[1] == 1, 5)
    world.bot.kill()
    world.server.settings.rtt = 0.1
    await world.start()
    given("0 presses" in panel.text, "she was told nothing")
    _ = await anna.send(flip)
    assert "1 press ·" in panel.text
    assert stored(world, anna)[:2] == ("flip:0 ", 1)


async def test_midnight_passes_under_an_open_panel(world: World) -> None:
    """The round goes on for a day more; what is unfinished then has points and no place."""
    await wakes(world, f"{TODAY} 23:59:30")
    anna, ben = alone(world, "anna"), alone(world, "ben")
    for one in (anna, ben):
        await one.begin()
        _ = await one.flip()
    await asyncio.sleep(60)
    _ = await anna.flip()
    assert "2 presses" in anna.shown.text
    old, page = anna.shown, await anna.page()
    assert "Deal of the day · Jun 2, 2026" in page.text
    assert "Yesterday’s cards" in labels(page)
    _ = await anna.tap("Yesterday’s cards")
    assert "2 presses" in anna.shown.text
    await anna.begin()
    assert "0 presses" in anna.shown.text, "today's is another round"
    anna.shown = old
    _ = await anna.send(anna.moves[0])
    await anna.finish()
    assert "🥇 **Anna**" in old.text
    await wakes(world, f"{THIRD} 00:00:10")
    _ = await ben.flip()
    assert "can’t play it any more" in ben.shown.text
    assert "without a place" in ben.shown.text
    assert stored(world, ben) == ("flip:0 ", 1, None)
    assert world.rows("SELECT user FROM daily_places WHERE points IS NOT NULL") == [(anna.user.id,)]


async def test_a_day_is_played_once(world: World) -> None:
    """By no other server, panel, direct message, restart or clock."""
    elsewhere = elsewhere_in(world)
    anna = alone(world, "anna")
    await anna.begin()
    await anna.finish()
    done = stored(world, anna)
    for channel in (elsewhere, world.server.dm(anna.user)):
        await anna.begin(channel=channel)
        assert f"in {done[1]} presses" in anna.shown.text
        assert not anna.moves
    for skew in (-24 * 3600, 24 * 3600, 0):
        world.bot.clock.skew = skew
        world.bot.kill()
        await world.start()
        await anna.begin()
        assert not anna.moves
    assert world.rows("SELECT count(*), max(moves) FROM daily_rounds") == [(1, done[0])]


async def test_nobody_plays_again_by_being_forgotten(world: World) -> None:
    """A mark stays that names nobody, until the secret is published."""
    anna = alone(world, "anna")
    await anna.begin()
    await anna.finish()
    await forgotten(world, anna)
    assert not world.rows("SELECT 1 FROM daily_rounds UNION SELECT 1 FROM daily_places")
    ((mark,),) = world.rows("SELECT mark FROM daily_marks")
    assert str(anna.user.id).encode() not in mark
    for channel in (anna.channel, elsewhere_in(world)):
        _ = await anna.page(channel)
        assert "Ligretto:** played before you deleted your data" in anna.shown.text
        assert "Ligretto Dice:** not played yet" in anna.shown.text
        cards, dice, *_ = anna.shown.controls
        assert (cards.disabled, dice.disabled) == (True, False)
        _ = await anna.send((cards.custom_id or "").replace("off:", ""))
        assert USED in world.server.panels(anna.user, channel)[-1].text
        world.bot.kill()
        await world.start()
    assert not world.rows("SELECT 1 FROM daily_rounds")
    await wakes(world, f"{THIRD} 00:00:10")
    assert not world.rows("SELECT 1 FROM daily_marks UNION SELECT 1 FROM daily_keys")
    await anna.begin()
    assert anna.moves, "today's is another round"


async def test_a_forgotten_round_goes_no_further(world: World) -> None:
    """The panel is still there, and the round is not."""
    anna = alone(world, "anna")
    panel = await anna.begin()
    _ = await anna.flip()
    await forgotten(world, anna)
    anna.shown = panel
    _ = await anna.flip()
    assert NOT_BEGUN in told(anna)
    assert not world.rows("SELECT 1 FROM daily_rounds UNION SELECT 1 FROM daily_places")


async def test_no_secret_is_told_before_its_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything that Discord hears, and everything logged, is searched."""
    caplog.set_level(logging.DEBUG, logger="bot")
    calls = tmp_path / "calls.jsonl"
    async with at_rest(tmp_path, calls) as world:
        until(f"{TODAY} 12:00", UTC)
        await world.start()
        anna = alone(world, "anna")
        await anna.begin()
        await anna.finish()
        await anna.asks_for_proof()
        link, today, tomorrow = islice(secrets(world), 3)
        assert link.hex() in anna.shown.text
        _ = await anna.pick("lr1:daily:log", log_of(world))
        assert "You can get this log once its secret is published" in told(anna)
        await wakes(world, f"{TOMORROW} 23:59:30")
        await anna.asks_for_proof()
        assert "Hash today’s secret" in anna.shown.text
        heard = calls.read_text() + str(world.log.lines)
        given(heard.count(link.hex()) > 1, "the first link is told and logged")
        for one in (today, tomorrow, mixed(today, TODAY), mixed(tomorrow, TOMORROW)):
            assert one.hex() not in heard
            assert repr(one)[2:-1] not in heard


async def test_a_published_secret_is_in_its_log(world: World) -> None:
    """It is hashed to the link before it, which everybody could see from the first day on."""
    anna = alone(world, "anna")
    await anna.begin()
    _ = await anna.flip()
    link, today, tomorrow = islice(secrets(world), 3)
    await wakes(world, f"{TOMORROW} 23:59:30")
    await anna.asks_for_proof()
    given(link.hex() in anna.shown.text, "the first link is shown")
    assert today.hex() not in anna.shown.text
    await asyncio.sleep(60)
    await anna.asks_for_proof()
    assert today.hex() in anna.shown.text
    assert tomorrow.hex() not in anna.shown.text
    answer = await anna.pick("lr1:daily:log", log_of(world))
    assert answer.original is not None
    (file,) = answer.original.files
    lines = world.server.blobs[file["id"]].decode().splitlines()
    first, *_, last = map(json.loads, lines)
    assert first["promise"] == sha256(today).hexdigest() == link.hex()
    assert first["public"] == TODAY
    assert (last["secret"], last["presses"]) == (today.hex(), 1)
    assert json.loads(lines[-2])["reason"] == "abort", "it scores as it stands"
    assert not world.said(logging.ERROR)


def log_of(world: World) -> str:
    """The value that picks the log of the first day's cards."""
    ((day,),) = world.rows("SELECT first_day FROM daily_chains")
    return f"{day}:ligretto"
