"""What moderators do, and what everybody at the table then sees."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.errors import BackendError, SetupError

from bot.records.results import Standing
from bot.tables.table import Table
from tests.store.matches import ANNA, BEN, match
from tests.ui.evening import Evening, evening, words
from tests.ui.managing import MODERATOR, asks, chooses, forges, lists, recorded, someone


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "night.db") as one:
        yield one


async def acts(night: Evening) -> list[tuple[int | None, str, int]]:
    done = await night.app.archive.moderated(night.guild.id, 10)
    return [(one.moderator, one.action, one.subject) for one in done]


async def test_the_table_of_the_channel_is_closed_and_its_scored_rounds_kept(
    night: Evening,
) -> None:
    players = await night.live("Anna", "Ben", rounds=3)
    await night.play_out(players)
    for player in players:
        await player.on_panel("Next round")
    await night.later(3.5)
    table, board = night.table, night.board
    mod = someone(night, "Mod", MODERATOR)
    answer = await asks(mod, "moderate close")
    assert f"Table {table.id} is closed" in words(answer)
    await night.later(3)
    assert "A moderator has closed this table" in words(board)
    for player in players:
        assert "A moderator has closed this table" in words(player.panel)
    assert night.app.tables.books.at(night.channel.id) is None
    assert await acts(night) == [(mod.id, "close", table.id)]

    kept = await night.app.archive.match_of_table(night.guild.id, table.id)
    assert kept is not None
    assert len(kept.rounds) >= 1
    await players[1].open("dice")
    assert "**Ben**, host" in words(night.board), "the players are free"
    assert "There is no open table" not in words(await asks(mod, "moderate close"))
    assert "There is no open table" in words(await asks(mod, "moderate close"))


async def elsewhere(night: Evening, name: str, channel: str) -> Table:
    """A table in another channel of this server."""
    home, night.channel = night.channel, night.guild.create_text_channel(channel)
    await night.person(name).open()
    table, night.channel = night.table, home
    return table


async def test_from_another_channel_a_table_is_chosen(night: Evening) -> None:
    first = await elsewhere(night, "Anna", "den")
    second = await elsewhere(night, "Ben", "attic")
    mod = someone(night, "Mod", MODERATOR)
    choice = await asks(mod, "moderate close")
    labels = [
        option["label"]
        for option in choice.components[0]["components"][1]["components"][0]["options"]
    ]
    assert labels == ["Ligretto in den, host Anna", "Ligretto in attic, host Ben"]
    assert lists(choice) == {"lr1:moderate:close": None}
    await chooses(mod, choice, "lr1:moderate:close", str(second.id))
    assert f"Table {second.id} is closed" in words(mod.private[-1])
    assert list(night.app.tables.books) == [first]
    assert await acts(night) == [(mod.id, "close", second.id)]


@pytest.mark.parametrize("value", ["1", "99", "x", "²", "9" * 400, "-1"])
async def test_a_forged_choice_closes_nothing(night: Evening, value: str) -> None:
    """Table 1 is another server's."""
    home = night.guild, night.channel
    night.guild = night.env.create_guild("Away")
    night.channel = night.guild.create_text_channel("away")
    await night.person("Zoe").open()
    night.guild, night.channel = home
    await elsewhere(night, "Anna", "den")
    mod = someone(night, "Mod", MODERATOR)
    choice = await asks(mod, "moderate close")
    assert "Zoe" not in str(choice.components)
    await forges(mod, choice, "lr1:moderate:close", value)
    assert "closed already" in words(mod.private[-1])
    assert len(list(night.app.tables.books)) == 2


async def test_a_match_is_taken_back_once(night: Evening) -> None:
    await recorded(night, match({ANNA: 9, BEN: 5}, guild=night.guild.id))
    await recorded(night, match({ANNA: 9, BEN: 5}, guild=night.guild.id + 1))
    dropped = match({ANNA: 9, BEN: 5}, guild=night.guild.id, standing=Standing.DROPPED)
    await recorded(night, dropped)
    mod = someone(night, "Mod", MODERATOR)
    archive = night.app.archive
    assert (await archive.stats(night.guild.id, ANNA, "ligretto")).rating is not None
    assert "Match 1 counts no more" in words(await asks(mod, "moderate void", match=1))
    assert (await archive.stats(night.guild.id, ANNA, "ligretto")).rating is None
    assert "was taken back before" in words(await asks(mod, "moderate void", match=1))
    for number in (2, 77, 2**53 - 1):
        answer = await asks(mod, "moderate void", match=number)
        assert f"no match {number} in this server" in words(answer)
    assert await acts(night) == [(mod.id, "void", 1)]


async def test_a_moderator_of_one_channel_is_none_of_the_server(night: Evening) -> None:
    """An overwrite in a channel lets nobody take back matches or close what is elsewhere."""
    await recorded(night, match({ANNA: 9, BEN: 5}, guild=night.guild.id))
    table = await elsewhere(night, "Ben", "den")
    local = night.person("Local")
    may = discord.PermissionOverwrite(manage_messages=True)
    club = night.guild.create_text_channel("club", overwrites={local.actor: may})
    night.channel = club
    for asked in (asks(local, "moderate void", match=1), asks(local, "moderate close")):
        assert "you need the permission Manage Messages" in words(await asked)
    assert table in list(night.app.tables.books)
    assert await acts(night) == []


async def test_what_was_done_is_listed_for_moderators_only(night: Evening) -> None:
    mod = someone(night, "Mod", MODERATOR)
    assert "Nothing yet" in words(await asks(mod, "moderate log"))
    await recorded(night, match({ANNA: 9, BEN: 5}, guild=night.guild.id))
    await asks(mod, "moderate void", match=1)
    await night.person("Anna").open()
    await asks(mod, "moderate close")
    listed = words(await asks(mod, "moderate log")).splitlines()
    assert f"<@{mod.id}> closed table 1" in listed[1]
    assert f"<@{mod.id}> took match 1 back" in listed[2]
    await night.app.archive.forget(mod.id)
    assert f"{mod.id}" not in words(await asks(mod, "moderate log"))
    assert "asked to be forgotten" in words(mod.private[-1])


async def test_without_manage_messages_there_is_no_command_and_no_press(night: Evening) -> None:
    table = await elsewhere(night, "Ben", "den")
    mod, anna = someone(night, "Mod", MODERATOR), night.person("Anna")
    offered = anna.actor.available_commands(night.channel)
    assert not [name for name in offered if name.startswith("moderate")]
    for command in ("moderate close", "moderate log"):
        with pytest.raises((SetupError, BackendError)):
            await asks(anna, command)
    choice, own = await asks(mod, "moderate close"), await asks(anna, "help")
    await forges(anna, choice, "lr1:moderate:close", str(table.id))
    assert "somebody else's message" in words(anna.private[-1])
    await forges(anna, own, "lr1:moderate:close", str(table.id))
    assert "you need the permission Manage Messages" in words(anna.private[-1])
    assert list(night.app.tables.books) == [table]
    assert await acts(night) == []


async def test_an_override_of_discords_widens_nothing(night: Evening) -> None:
    """Who may see the command by the server's integrations still needs the permission."""
    anna = night.person("Anna")
    tree: Any = night.env.bot.tree  # type: ignore[attr-defined]
    command = next(one for one in await tree.fetch_commands() if one.name == "moderate")
    night.guild.set_command_permissions(command, {anna.actor: True})
    await recorded(night, match({ANNA: 9, BEN: 5}, guild=night.guild.id))
    answer = await asks(anna, "moderate void", match=1)
    assert "you need the permission Manage Messages" in words(answer)
    for name in ("moderate close", "moderate log"):
        assert "you need the permission" in words(await asks(anna, name))
    assert await acts(night) == []


async def test_closing_holds_even_where_it_cannot_be_noted(
    night: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def closed(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(night.app.archive, "closed", closed)
    await night.person("Anna").open()
    mod = someone(night, "Mod", MODERATOR)
    assert "is closed" in words(await asks(mod, "moderate close"))
    assert "closing by a moderator not recorded" in caplog.text
    assert not list(night.app.tables.books)


def test_the_commands_are_for_moderators_in_servers(night: Evening) -> None:
    group = night.env.bot.tree.get_command("moderate")  # type: ignore[attr-defined]
    assert group.default_permissions == discord.Permissions(manage_messages=True)
    assert not group.allowed_contexts.dm_channel
