"""Presses in direct messages reach the group that has their table."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.fakediscord import Interaction
from bot.ids import ChannelId
from bot.ui.connection import lazy_interaction
from tests import valkey
from tests.groups.ends import until
from tests.groups.pair import FIRST, SECOND, Pair, pair
from tests.loopback.bots import PATIENCE
from tests.loopback.correspondents import Correspondent, direct_lobby, started
from tests.loopback.players import all_ready, labels, played_out

RESTARTING = "The part of the bot that runs your table is restarting"


async def at_table(there: Pair) -> list[Correspondent]:
    """Anna and Ben at a table of the second group, with panels as direct messages."""
    people = await direct_lobby(there.discord, "anna", "ben", channel=there.lobby)
    await started(people)
    return people


async def test_a_match_is_played_by_direct_messages(server: valkey.Server, tmp_path: Path) -> None:
    async with pair(server, tmp_path) as there:
        anna, ben = await at_table(there)
        await all_ready([anna, ben])
        await asyncio.gather(*(played_out(one, 0.1) for one in (anna, ben)))
        assert labels(ben.panel) == {"Next round"}
        assert len(ben.letters) == 1, "one message, edited all the time"
        assert not list(there.first.app.tables.index), "the table is the second group's alone"


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


def decided(tmp_path: Path, group: int) -> list[int]:
    """Return the interactions that a group's journal has, in their order."""
    with closing(sqlite3.connect(tmp_path / f"{group}.db")) as db:
        found = db.execute(
            "SELECT interaction FROM journal WHERE interaction IS NOT NULL ORDER BY seq"
        )
        return [int(interaction) for (interaction,) in found]


def flip(there: Pair, person: Correspondent) -> Interaction:
    """Flip cards: this can be pressed again and again, whatever lies there."""
    turn = next(one for one in person.panel.controls if (one.label or "").startswith("Flip"))
    return there.discord.click(person.user, person.panel, turn.custom_id, stale=True)


async def test_fifty_presses_count_in_the_order_of_their_arrival(
    server: valkey.Server, tmp_path: Path
) -> None:
    async with pair(server, tmp_path) as there:
        people = await at_table(there)
        await all_ready([*people])
        before = len(decided(tmp_path, SECOND))
        pressed = [flip(there, people[number % 2]) for number in range(50)]
        for one in pressed:
            assert (await one.wait()).ok
        made = decided(tmp_path, SECOND)[before:]
        print(len(made), [[one.id for one in pressed].index(m) for m in made])
        assert made == [one.id for one in pressed]


@pytest.mark.parametrize("is_direct_first", [True, False])
async def test_first_press_hosts_the_rematch_wherever_it_was_made(
    server: valkey.Server, tmp_path: Path, *, is_direct_first: bool
) -> None:
    """Anna presses in her direct messages, Ben in the server."""
    async with pair(server, tmp_path) as there:
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


async def test_redelivered_press_counts_once(server: valkey.Server, tmp_path: Path) -> None:
    async with pair(server, tmp_path) as there:
        there.discord.settings.keep_payloads = True
        people = await at_table(there)
        await all_ready([*people])
        before = len(decided(tmp_path, SECOND))
        one = await flip(there, people[0]).wait()
        there.discord.redeliver(one)
        assert (await flip(there, people[0]).wait()).ok
        assert decided(tmp_path, SECOND)[before:][0] == one.id
        assert len(decided(tmp_path, SECOND)[before:]) == 2


async def test_press_that_discord_py_reads_is_taken_too(
    server: valkey.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_interaction, "KNOWN", False)
    async with pair(server, tmp_path) as there:
        people = await at_table(there)
        await all_ready([*people])


async def test_group_that_is_gone_is_told_in_words(server: valkey.Server, tmp_path: Path) -> None:
    async with pair(server, tmp_path) as there:
        people = await at_table(there)
        await there.is_gone(SECOND)
        there.discord.user("anna").locale = "de"
        answer = await there.discord.click(people[0].user, people[0].panel, label="Ready").wait()
        assert answer.original is not None
        assert "Drück gleich noch einmal" in answer.original.text
        await there.holds(SECOND)
        await all_ready([*people])


async def test_group_that_ended_within_its_lease_is_told_in_words(
    server: valkey.Server, tmp_path: Path
) -> None:
    async with pair(server, tmp_path) as there:
        people = await at_table(there)
        await there.second.client.close()
        answer = await there.discord.click(people[0].user, people[0].panel, label="Ready").wait()
        assert answer.original is not None
        assert RESTARTING in answer.original.text


async def test_killed_valkey_keeps_only_direct_messages_from_their_table(
    server: valkey.Server, tmp_path: Path
) -> None:
    async with pair(server, tmp_path) as there:
        people = await at_table(there)
        server.kill()
        answer = await there.discord.click(people[0].user, people[0].panel, label="Ready").wait()
        assert answer.original is not None
        assert RESTARTING in answer.original.text
        assert (await people[1].press_public("Rules")).ok, "presses in servers notice nothing"
        await server.start()
        await until(lambda: not there.valkey.is_away)
        await there.holds(FIRST, SECOND)
        await all_ready([*people])
