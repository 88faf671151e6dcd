"""An arena: people join by a press, play at changing tables, and there is a podium at the end."""

import asyncio
import hmac
import json
import logging
import zlib
from functools import partial
from hashlib import sha256

import pytest

from bot.fakediscord import Channel
from bot.ops.log import milestones
from bot.records.rated_rounds import of_log
from bot.tables.arena.decisions import EMPTY_FOR, WIND_UP
from bot.tables.arena.pairing import PATIENCE
from bot.tables.decisions.arena_rounds import LONG_ENOUGH
from bot.tables.decisions.timeouts import AWAY_AFTER, GOES_ON_AFTER
from bot.tables.views.lines import short_promise
from bot.ui.arena.message import KEPT_FOR
from bot.ui.connection import load_shedding
from bot.verify.referee import Referee
from tests.loopback.players import Player, labels
from tests.stories.arena import (
    NEXT,
    PACE,
    SOON,
    YES,
    answers,
    dealt,
    forgotten,
    is_dealt,
    left_round,
    opened,
    owner,
    played,
    ready,
    told,
    typed,
)
from tests.stories.moderating import confirmed
from tests.stories.world import LONG, World, given

MINUTES = 180.0
"""Seconds that people wait for their cards where Discord is slow."""


@pytest.mark.parametrize("game", ["ligretto", "dice"])
async def test_an_evening_from_the_first_join_to_the_podium(world: World, game: str) -> None:
    people = await opened(world, "anna", "ben", "cleo", "dora", game=game)
    first = world.public
    await dealt(*people)
    assert "**Table 1** · Anna, Ben, Cleo, Dora" in world.public.text
    await played(*people)
    for person in people:
        assert NEXT in labels(person.panel), "the panel stays, and asks for the next round"
        assert len(person.panels) == 1
    late = world.person("eve")
    _ = await late.press_public("Join")
    await ready(*people)
    await dealt(late)
    (waits,) = [one for one in people if not is_dealt(one)]
    assert "You’re next" in waits.panel.text, "four of five sit at the second table"
    assert "**Table 2** · Eve, " in world.public.text, "whoever waits longest sits first"
    everybody = [*people, late]
    await played(*everybody)
    await answers(people[0], await people[0].press("End arena"), "Yes, end it")
    await asyncio.sleep(LONG)
    assert world.public is first, "an arena has one message"
    assert "wins!" in first.text or "win!" in first.text
    assert "Played: 2 rounds · 5 players" in first.text
    panels = [person.panel for person in everybody]
    await world.server.wait_for(  # nobody knows yet how many calls the channel takes in a minute
        lambda: all("The arena is over" in panel.text for panel in panels), 60
    )
    await told_fairly(world, people[0])
    assert not world.said(), world.said()


async def told_fairly(world: World, person: Player) -> None:
    """Every log of the arena follows from the secret, which is told now and was promised before."""
    answer = await person.press_public("Fair deal?")
    given(answer.original, "it is answered")
    ((secret, channel, message),) = world.rows("SELECT secret, channel, message FROM arenas")
    assert secret in told(answer)
    assert short_promise(sha256(bytes.fromhex(secret)).hexdigest()) in world.public.text
    logs = [zlib.decompress(log).decode() for (log,) in world.rows("SELECT log FROM logs")]
    assert len(logs) == 2
    for log in logs:
        start, *_, match = map(json.loads, log.splitlines())
        place, number = start["public"].rsplit("/", 1)
        assert place == f"{channel}/{message}"
        own = hmac.digest(bytes.fromhex(secret), number.encode(), "sha256")
        assert match["secret"] == own.hex()
        assert start["arena"] == sha256(bytes.fromhex(secret)).hexdigest()
        Referee(log).check()
    assert not world.rows("SELECT 1 FROM arena_journal"), "it is put away"
    rated = world.rows("SELECT standing, json_array_length(rated_rounds) FROM matches")
    assert rated == [("rated", 1)] * 2


async def test_people_leave_vanish_and_come_back(world: World) -> None:
    anna, ben, cleo = await opened(world, "anna", "ben", "cleo", seats=3)
    await dealt(anna, ben, cleo)
    await left_round(cleo)
    assert NEXT in labels(cleo.panel)
    assert "You left the round at table 1" in cleo.panel.text
    _ = await anna.act()
    for _ in range(int(AWAY_AFTER / 10) + 2):  # ben has vanished
        await asyncio.sleep(10)
        if is_dealt(anna):
            _ = await anna.act()
    assert "You won" in anna.panel.text, "the others have left: the round is hers"
    assert NEXT in labels(ben.panel)
    assert "Place 2 of 3" in ben.panel.text
    _ = await ben.press("Leave arena")
    assert "You left the arena" in ben.panel.text
    await ready(anna, cleo)
    await asyncio.sleep(SOON)
    await dealt(anna, cleo)
    _ = await ben.press("Join")
    await asyncio.sleep(SOON)
    assert "You’re next" in ben.panel.text, "nobody else is free"
    assert not world.said(), world.said()


async def test_a_kill_in_the_middle_loses_nothing(world: World) -> None:
    names = ("anna", "ben", "cleo", "dora", "eve", "finn")
    anna, ben, cleo, dora, eve, finn = people = await opened(world, *names, seats=2)
    await dealt(*people)
    await holds_out(ben)
    await left_round(anna)
    await ready(anna)
    await killed(world)
    for person in (cleo, eve):
        await world.server.wait_for(partial(says, person, "continues by itself"))
        assert "Unless everyone presses something within 90 seconds" in person.panel.text
        assert "Ready" not in labels(person.panel)
    await asyncio.sleep(GOES_ON_AFTER)
    await dealt(cleo, dora, eve)
    _ = await eve.act()
    assert "Not back yet: Finn" in eve.panel.text
    await ready(ben)
    await dealt(anna, ben)
    await asyncio.gather(played(anna, ben, cleo, dora), asyncio.sleep(AWAY_AFTER + LONG))
    for one in (eve, finn):
        assert "not everyone came back" in one.panel.text, "nobody has lost it"
    assert "**Eve** · " not in world.public.text, "and nobody has won it"
    rated = world.rows("SELECT json_array_length(rated_rounds), standing FROM matches")
    assert sorted(rated) == [(0, "dropped"), *[(1, "rated")] * 3]
    assert not world.said(40), world.said(40)


def says(person: Player, words: str) -> bool:
    return words in person.panel.text


async def holds_out(person: Player) -> None:
    """Play until the round is theirs if all others leave it."""
    for _ in range(int(LONG_ENOUGH / 1000 / PACE) + 1):
        _ = await person.act()
        await asyncio.sleep(PACE)


async def test_a_round_left_at_once_brings_nothing_to_anybody(world: World) -> None:
    """Else two friends could win in turn, each as fast as the other leaves."""
    anna, ben = await opened(world, "anna", "ben", seats=2)
    await dealt(anna, ben)
    _ = await anna.act()
    await left_round(ben)
    for person in (anna, ben):
        assert "This round doesn’t count" in person.panel.text
        assert "All but one left too early, so nobody wins it" in person.panel.text
    assert "points" not in world.public.text
    await ready(anna, ben)
    await dealt(anna, ben)
    await holds_out(anna)
    await left_round(ben)
    assert "You won · +2 points" in anna.panel.text
    assert "left the round" in anna.panel.text
    rated = world.rows("SELECT json_array_length(rated_rounds), standing FROM matches")
    assert rated == [(0, "dropped"), (1, "rated")]
    logs = [zlib.decompress(log).decode() for (log,) in world.rows("SELECT log FROM logs")]
    assert [len(of_log(map(json.loads, log.splitlines()))) for log in logs] == [0, 1]
    for log in logs:
        Referee(log).check()
    history = await typed(world, anna, "history")
    assert "#2" in history
    assert "#1" not in history


async def killed(world: World) -> None:
    """Kill the bot, and start it again four minutes later. The standing is the same."""
    before = world.public.text
    given("**Ben** · 2 points" in before, before)
    world.bot.kill()
    await asyncio.sleep(4 * 60)
    await world.start()
    after = world.public.text
    assert "The bot was away for 4 minutes," in after
    assert [line for line in before.splitlines() if "points" in line] == [
        line for line in after.splitlines() if "points" in line
    ]


async def test_time_ends_an_arena_and_its_last_rounds(world: World) -> None:
    anna, ben, cleo = await opened(world, "anna", "ben", "cleo", minutes=15, seats=2)
    await dealt(anna, ben)
    await left_round(ben)
    await ready(ben)
    await asyncio.sleep(60)
    while not ("No new rounds begin" in world.public.text or "over" in world.public.text):
        for person in (anna, ben, cleo):
            if NEXT in labels(person.panel):
                await ready(person)
            elif is_dealt(person):
                _ = await person.act()
        await asyncio.sleep(5)
    assert NEXT not in labels(anna.panel)
    for _ in range(WIND_UP // 10_000 + 2):
        await asyncio.sleep(10)
        for person in (anna, ben, cleo):
            if is_dealt(person):
                _ = await person.press("Flip")
    assert "Played:" in world.public.text
    late = await world.server.click(cleo.user, world.public, label="Fair deal?").wait()
    assert "Secret:" in told(late)


async def test_what_takes_a_channel_or_a_seat_is_refused_elsewhere(world: World) -> None:
    second = another(world)
    anna, ben = await opened(world, "anna", "ben")
    other = world.person("cleo")
    await asyncio.sleep(SOON)
    await dealt(anna, ben)
    for command in ("ligretto", "arena"):
        assert "This channel already has an arena" in await typed(world, other, command)
    assert "You’re at another table" in await typed(world, anna, "dice", second)
    await played(anna, ben)
    await ready(anna)
    assert "sit at" not in await typed(world, anna, "dice", second)
    await ready(ben)
    await asyncio.sleep(SOON)
    assert not is_dealt(ben), "nobody who sits elsewhere is given a seat"
    arena_panel = next(one for one in anna.panels if "Leave arena" in labels(one))
    for label in ("Leave arena", "Join"):
        _ = await world.server.click(anna.user, arena_panel, label=label).wait()
    assert "You’re at another table" in arena_panel.text
    _ = await confirmed(world, owner(world).user, "moderate close")
    await asyncio.sleep(10)
    assert "The arena is over" in arena_panel.text
    assert "You sit" not in arena_panel.text, "a press is answered until there is news"


def another(world: World) -> Channel:
    """Another channel of the server."""
    assert world.channel.guild is not None
    return world.server.add_channel(world.channel.guild, "elsewhere")


async def test_a_moderator_ends_an_arena(world: World) -> None:
    anna, ben = await opened(world, "anna", "ben", seats=2)
    await dealt(anna, ben)
    asked = await typed(world, owner(world), "moderate close")
    assert "Rounds in progress count for nobody" in asked
    given("A moderator ended" not in world.public.text, "nothing is done yet")
    said = await confirmed(world, owner(world).user, "moderate close")
    assert "You ended the arena" in said
    await asyncio.sleep(10)
    assert "A moderator ended the arena" in world.public.text
    for person in (anna, ben):
        assert "The arena is over" in person.panel.text
        assert "A moderator ended the arena" in person.panel.text
        assert "It was cut short" in person.panel.text
    assert "sit at" not in await typed(world, anna, "dice"), "channel and seats are free"


async def test_an_arena_goes_on_without_its_message(world: World) -> None:
    """A deleted one is posted anew; where the bot may post nothing, panels go on."""
    anna, ben = await opened(world, "anna", "ben", seats=2)
    await dealt(anna, ben)
    before = world.public
    world.server.delete_message(before)
    await played(anna, ben)
    await asyncio.sleep(10)
    given("**Anna**" in world.public.text, "it is posted anew")
    assert world.public is not before
    world.server.deny(world.channel, "send_messages", "view_channel")
    await ready(anna, ben)
    await dealt(anna, ben)
    await played(anna, ben)
    assert NEXT in labels(anna.panel)
    logs = [zlib.decompress(log).decode() for (log,) in world.rows("SELECT log FROM logs")]
    publics = [json.loads(log.splitlines()[0])["public"] for log in logs]
    assert publics == [f"{world.channel.id}/{before.id}/{number}" for number in (1, 2)]


@pytest.mark.parametrize("when", ["after", "before"])
async def test_an_arena_whose_answer_was_lost_has_one_message(world: World, when: str) -> None:
    """Discord has it and the bot doesn't hear so, or it never arrived. Join brings everybody in."""
    anna, ben = world.person("anna"), world.person("ben")
    lost = world.server.fault("/callback$", drop=True, when=when, times=1)
    _ = world.server.slash(anna.user, world.channel, "arena", {"seats": 2})
    await asyncio.sleep(SOON)
    given(lost.hits, "the answer was lost")
    for person in (anna, ben):
        _ = await person.press_public("Join")
        assert len(person.panels) == 1
    await asyncio.sleep(SOON)
    await dealt(anna, ben)
    await played(anna, ben)
    await ready(anna, ben)
    await dealt(anna, ben)
    assert [one for one in world.server.public(world.channel) if one.controls] == [world.public]
    assert "**Table 2** · Anna, Ben" in world.public.text
    assert world.rows("SELECT count(*), min(message) FROM arenas") == [(1, world.public.id)]


async def test_an_answer_that_nobody_heard_of_goes_when_it_is_pressed(world: World) -> None:
    """Discord has it, but doesn't say so when it is asked, and the bot has posted another one."""
    anna, ben = world.person("anna"), world.person("ben")
    _ = world.server.fault("/callback$", drop=True, when="after", times=1)
    _ = world.server.fault("GET .*@original", status=404, code=10008, times=1)
    _ = world.server.slash(anna.user, world.channel, "arena")
    await asyncio.sleep(SOON)
    late, known = [one for one in world.server.public(world.channel) if one.controls]
    answer = await world.server.click(ben.user, late, label="Join").wait()
    assert answer.ok
    await asyncio.sleep(LONG)
    assert late.deleted, "one message of an arena"
    assert not known.deleted
    assert "Anna, Ben" in known.text


async def test_an_arena_ends_with_its_channel(world: World) -> None:
    second = another(world)
    anna, ben = await opened(world, "anna", "ben", seats=2)
    await dealt(anna, ben)
    world.server.delete_channel(world.channel)
    await asyncio.sleep(20)
    assert world.rows("SELECT put_away FROM arenas") == [(1,)]
    assert "sit at" not in await typed(world, anna, "dice", second)


async def test_a_slow_channel_takes_as_many_as_can_be_dealt_in_time(world: World) -> None:
    """Tables begin when the minute has room for their cards, so that no deal is refused."""
    await takes(world, 12)
    people = await opened(world, *(f"p{number}" for number in range(6)), seats=2)
    assert "Discord is slow in this channel, so the arena takes at most 6" in world.public.text
    late = await world.person("late").press_public("Join")
    assert "the arena takes 6 players" in told(late)
    for number in (1, 2, 3):
        await asyncio.gather(*map(leaves_at_once, people))
        assert not world.server.limiter.refused, f"round {number}"
    assert "so your next round may take a moment to begin" in people[-1].panel.text
    names = [task.get_name() for task in asyncio.all_tasks()]
    assert not [one for one in names if "panel" in one and not one.startswith("arena")], "in line"


async def takes(world: World, calls: int) -> None:
    """Let the channel take so many calls a minute, and have the bot know of it."""
    assert world.channel.guild is not None
    _ = await world.bot.stop()
    world.change(
        "INSERT INTO paces (channel, guild, per_minute, is_limited) VALUES (?, ?, ?, 1)",
        world.channel.id,
        world.channel.guild.id,
        calls,
    )
    world.server.settings.webhook_calls = calls
    await world.start()


async def leaves_at_once(person: Player) -> None:
    """Press twice and leave the round, unless the other has, and ask for the next one."""
    await person.server.wait_for(lambda: is_dealt(person) and person.choose(), MINUTES)
    for _ in range(2):
        await asyncio.sleep(PACE)
        if is_dealt(person):
            _ = await person.act()
    while NEXT not in labels(person.panel):
        asked = await person.press("Leave round") if is_dealt(person) else None
        if asked is not None and asked.original is not None and YES in labels(asked.original):
            await answers(person, asked, YES)
        await asyncio.sleep(PACE)
    await ready(person)


async def test_an_arena_with_nobody_ends(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger=load_shedding.__name__)
    caplog.set_level(logging.INFO, logger=milestones.__name__)
    anna, ben = await opened(world, "anna", "ben", seats=2)
    await dealt(anna, ben)
    await played(anna, ben)
    await asyncio.sleep(10)
    assert "1 arenas, 2 arena panels" in held(world)
    await asyncio.sleep(EMPTY_FOR / 1000 + 30)
    assert "Nobody played for a while" in world.public.text
    await asyncio.sleep(KEPT_FOR)
    assert "0 arenas, 0 arena panels" in held(world)
    over = [one.text.partition(": ")[2] for one in world.log.lines if " over after " in one.text]
    assert over == ["ligretto over after 1 round, 2 players"], "one line for all its tables"


def held(world: World) -> str:
    """What the bot holds in memory, by its log."""
    return next(one.text for one in reversed(world.log.lines) if one.text.startswith("held: "))


async def test_a_voided_round_and_a_forgotten_person_leave_the_standing(world: World) -> None:
    people = await opened(world, "anna", "ben", "cleo", seats=3)
    await dealt(*people)
    await played(*people)
    given("points · 1 round" in world.public.text, "somebody has points")
    said = await confirmed(world, owner(world).user, "moderate void", match="1")
    assert "is void" in said
    await asyncio.sleep(5)
    assert "1 round" not in world.public.text
    await ready(*people)
    await asyncio.sleep(PATIENCE / 1000)
    await dealt(*people)
    assert "You sit" in await forgotten(world, people[1]) or is_dealt(people[1])
    await played(*people)
    await asyncio.sleep(5)
    given("**Ben**" in world.public.text, "he has a place")
    await forgotten(world, people[1])
    await asyncio.sleep(5)
    assert "Ben" not in world.public.text
    kept = world.rows("SELECT body FROM arena_journal")
    assert not [body for (body,) in kept if "Ben" in body or str(people[1].user.id) in body]
