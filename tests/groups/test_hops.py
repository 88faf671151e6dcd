"""Presses in direct messages reach the group that has their table."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest

from bot.fakediscord import Interaction
from bot.fakediscord import Server as Discord
from bot.groups.numbers import number
from bot.ids import ChannelId
from bot.tables.presses.rate_limit import PRESSES, WITHIN
from bot.ui.connection import lazy_interaction
from bot.ui.connection.deadlines import IN_TIME
from tests import valkey
from tests.groups.ends import Server, until
from tests.groups.pair import FIRST, SECOND, THIRD, Pair, Place, channel_of, discord_of, pair
from tests.loopback.bots import PATIENCE
from tests.loopback.correspondents import Correspondent, direct_lobby, started
from tests.loopback.players import all_ready, labels
from tests.simulate.valkey import Valkey

RESTARTING = "The part of the bot that runs your table is restarting"


async def at_table(there: Pair) -> list[Correspondent]:
    """Anna and Ben at a table of the second group, with panels as direct messages."""
    people = await direct_lobby(there.discord, "anna", "ben", channel=there.lobby)
    await started(people)
    return people


async def over(there: Pair) -> list[Correspondent]:
    """A match of Anna and Ben at the second group that is over: both see Rematch."""
    people = await direct_lobby(there.discord, "anna", "ben", channel=there.lobby)
    await people[0].set_option("rounds", "1")
    await started(people)
    await all_ready([*people])
    for one in people:
        await one.end_round()
    await there.discord.wait_for(lambda: "Rematch" in labels(people[0].panel), PATIENCE)
    return people


def decided(tmp_path: Path) -> list[int]:
    """Return the presses in the journal of the second group's newest table, in their order."""
    with closing(sqlite3.connect(tmp_path / f"{SECOND}.db")) as db:
        found = db.execute(
            "SELECT interaction FROM journal WHERE interaction IS NOT NULL "
            "AND table_id = (SELECT max(id) FROM tables) ORDER BY seq"
        )
        return [int(interaction) for (interaction,) in found]


def flip(there: Pair, person: Correspondent) -> Interaction:
    """Flip cards: this can be pressed again and again, whatever lies there."""
    turn = next(one for one in person.panel.controls if (one.label or "").startswith("Flip"))
    return there.discord.click(person.user, person.panel, turn.custom_id, stale=True)


@pytest.mark.parametrize("is_direct_first", [True, False])
async def test_first_press_hosts_the_rematch_wherever_it_was_made(
    standin: Valkey, tmp_path: Path, *, is_direct_first: bool
) -> None:
    """Anna presses in her direct messages, Ben in the server."""
    async with pair(standin, tmp_path) as there:
        anna, ben = await over(there)
        rematch = next(one.custom_id for one in anna.panel.controls if one.label == "Rematch")
        places = [(anna, anna.panel), (ben, ben.public)]
        for person, message in places if is_direct_first else reversed(places):
            click = there.discord.click(person.user, message, rematch, stale=True)
            assert (await click.wait()).ok
        table = there.second.app.tables.index.at(ChannelId(there.lobby.id))
        assert table is not None
        seated = [one.name for one in table.session.chairs if one.name]
        assert seated == (["Anna", "Ben"] if is_direct_first else ["Ben", "Anna"])
        assert table.id == number(2, SECOND)
        host = anna if is_direct_first else ben
        await host.sees("Start")
        await fifty_presses_count_in_order(there, tmp_path, host)


async def fifty_presses_count_in_order(there: Pair, tmp_path: Path, host: Correspondent) -> None:
    """The host sets an option again and again, in direct messages."""
    start = next(one.custom_id for one in host.panel.controls if one.label == "Start")
    assert start is not None
    before, pressed = len(decided(tmp_path)), []
    for nth in range(50):
        if nth == PRESSES - 5:
            await asyncio.sleep(WITHIN)
        sent = start.replace("start", f"set.rounds={1 + nth % 2}")
        pressed.append(there.discord.click(host.user, host.panel, sent, stale=True))
    for one in pressed:
        assert (await one.wait()).ok
    made = decided(tmp_path)[before:]
    assert made == [one.id for one in pressed][-len(made) :]
    assert len(made) >= len(pressed) - 1, "the first one may change nothing"


async def round_is_played(server: Server, folder: Path) -> None:
    """A press that Discord delivers twice counts once."""
    async with pair(server, folder) as there:
        there.discord.settings.keep_payloads = True
        people = await at_table(there)
        await all_ready([*people])
        before = len(decided(folder))
        one = await flip(there, people[0]).wait()
        there.discord.redeliver(one)
        two = await flip(there, people[1]).wait()
        assert two.ok
        assert decided(folder)[before:] == [one.id, two.id]
        # Panels are edited all the time; one that a newer one replaced goes at its turn.
        await until(lambda: [len(person.letters) for person in people] == [1, 1])
        assert not list(there.first.app.tables.index), "the table is the second group's alone"


async def test_round_is_played_by_direct_messages(standin: Valkey, tmp_path: Path) -> None:
    await round_is_played(standin, tmp_path)


@pytest.mark.real("a Valkey server as a process")
async def test_round_is_played_over_a_real_server(server: valkey.Server, tmp_path: Path) -> None:
    await round_is_played(server, tmp_path)


async def test_press_that_discord_py_reads_is_taken_too(
    standin: Valkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_interaction, "KNOWN", False)
    async with pair(standin, tmp_path) as there:
        people = await at_table(there)
        await all_ready([*people])


async def test_groups_that_cannot_be_reached_are_told_in_words(
    standin: Valkey, tmp_path: Path
) -> None:
    """The second group's lease runs out, Valkey is killed, and at last the group ends."""
    async with pair(standin, tmp_path) as there:
        anna, ben = await at_table(there)
        await there.is_gone(SECOND)
        anna.user.locale = "de"
        assert "Drück gleich noch einmal" in await told(there, anna)
        anna.user.locale = "en-US"
        await there.holds(SECOND)
        assert (await anna.press("Ready")).ok

        standin.kill()
        assert RESTARTING in await told(there, ben)
        assert (await ben.press_public("Rules")).ok, "presses in servers notice nothing"
        await standin.start()
        await until(lambda: not there.valkey.is_away)
        await there.holds(FIRST, SECOND)
        await until(lambda: not there.second_valkey.is_away)
        assert (await ben.press("Ready")).ok

        await there.second.client.close()
        assert RESTARTING in await told(there, ben)


async def test_process_that_stood_still_plays_no_press_of_its_own_or_handed_over(
    standin: Valkey, tmp_path: Path
) -> None:
    """Another process may have its group by now. In direct messages people hear of it."""
    async with pair(standin, tmp_path) as there:
        anna, ben = await at_table(there)
        (table,) = there.second.app.tables.index
        session = table.session
        there.still.add(SECOND)
        assert RESTARTING in await told(there, anna)
        _ = there.discord.click(ben.user, ben.public, label="Rules", stale=True)
        await asyncio.sleep(IN_TIME + 1)
        assert (table.session is session, there.discord.late) == (True, 1)
        there.still.clear()
        assert (await anna.press("Ready")).ok
        assert table.session is not session


@pytest.mark.parametrize("shards", [(1,), (0, 1)])
async def test_panels_in_direct_messages_outlive_their_group(
    standin: Valkey, tmp_path: Path, shards: tuple[int, ...]
) -> None:
    """The servers of a group move to another one: all of them, or also those of shard 0."""
    async with discord_of() as discord, AsyncExitStack() as first:
        place = Place(discord, standin, tmp_path)
        if 0 not in shards:
            await first.enter_async_context(place.group(FIRST, 0))
        async with place.group(SECOND, *(shards if 0 in shards else (1,))):
            people = await direct_lobby(discord, "anna", "ben", channel=channel_of(discord, 1))
            await started(people)
        async with place.group(THIRD, *shards, file=SECOND) as (moved, _):
            (table,) = moved.app.tables.index
            await all_ready([*people])
            assert table.session.round == 1, "it was played on"
            await moved.app.tables.close(table, "table.closed.moderator")
            assert "This table is gone" in await said(discord, people[0])


async def said(discord: Discord, person: Correspondent) -> str:
    """Press in direct messages, and return the private words that answer it."""
    button = person.panel.controls[0].custom_id
    answer = await discord.click(person.user, person.panel, button, stale=True).wait()
    assert answer.original is not None
    return answer.original.text


async def told(there: Pair, person: Correspondent) -> str:
    return await said(there.discord, person)
