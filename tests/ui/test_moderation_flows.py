"""What moderators do, and what everybody at the table then sees."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.errors import BackendError, SetupError

from bot.ids import ChannelId, GuildId, UserId
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.running.table import Table
from tests.store.matches import ANNA, BEN, match
from tests.ui.managing import MODERATOR, asks, chooses, forges, lists, presses, recorded, someone
from tests.ui.simulated import SimulatedBot, buttons, simulated_bot, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


async def acts(sim: SimulatedBot) -> list[tuple[int | None, str, int]]:
    done = await sim.app.archive.moderated(GuildId(sim.guild.id), 10)
    return [(one.moderator, one.action, one.subject) for one in done]


async def test_the_table_of_the_channel_is_closed_and_its_scored_rounds_kept(
    sim: SimulatedBot,
) -> None:
    players = await sim.live("Anna", "Ben", rounds=3)
    await sim.play_out(players)
    for player in players:
        await player.on_panel("Next round")
    await sim.later(3.5)
    table, public = sim.table, sim.public
    mod = someone(sim, "Mod", MODERATOR)
    await presses(mod, await asks(mod, "moderate close"), "Yes, close it")
    assert f"Table {table.id} is closed" in words(mod.private[-1])
    await sim.later(3)
    assert "A moderator closed this table" in words(public)
    for player in players:
        assert "A moderator closed this table" in words(player.panel)
    assert sim.app.tables.index.at(ChannelId(sim.channel.id)) is None
    assert await acts(sim) == [(mod.id, "close", table.id)]

    kept = await sim.app.archive.match_of_table(GuildId(sim.guild.id), table.id)
    assert kept is not None
    assert len(kept.rounds) >= 1
    await players[1].open("dice")
    assert "**Ben** hosts" in words(sim.public), "the players are free"
    assert "This server has no open table" not in words(await asks(mod, "moderate close"))
    assert "This server has no open table" in words(await asks(mod, "moderate close"))


async def elsewhere(sim: SimulatedBot, name: str, channel: str) -> Table:
    """A table in another channel of this server."""
    home, sim.channel = sim.channel, sim.guild.create_text_channel(channel)
    await sim.person(name).open()
    table, sim.channel = sim.table, home
    return table


async def test_from_another_channel_a_table_is_chosen(sim: SimulatedBot) -> None:
    first = await elsewhere(sim, "Anna", "den")
    second = await elsewhere(sim, "Ben", "attic")
    mod = someone(sim, "Mod", MODERATOR)
    choice = await asks(mod, "moderate close")
    labels = [
        option["label"]
        for option in choice.components[0]["components"][1]["components"][0]["options"]
    ]
    assert labels == ["Ligretto in den, host Anna", "Ligretto in attic, host Ben"]
    assert lists(choice) == {"lr1:moderate:close": None}
    await chooses(mod, choice, "lr1:moderate:close", str(second.id))
    assert f"Table {second.id} is closed" in words(mod.private[-1])
    assert list(sim.app.tables.index) == [first]
    assert await acts(sim) == [(mod.id, "close", second.id)]


async def test_a_match_in_progress_is_closed_only_after_a_yes(sim: SimulatedBot) -> None:
    await sim.live("Anna", "Ben", rounds=1)
    table = sim.table
    mod = someone(sim, "Mod", MODERATOR)
    question = await asks(mod, "moderate close")
    assert f"Close table {table.id}" in words(question)
    assert "The current round is lost. Scored rounds are kept" in words(question)
    assert await acts(sim) == [], "nothing is done yet"
    await presses(mod, question, "No, keep it")
    assert "Nothing changed" in words(mod.private[-1])
    assert not buttons(mod.private[-1])
    question = await asks(mod, "moderate close")
    for forged in ("", "x", f"{table.id}:1", "9" * 80):
        await forges(mod, question, f"lr1:moderate:close:{forged}")
    assert await acts(sim) == []
    assert sim.app.tables.index.at(ChannelId(sim.channel.id)) is table


async def test_a_match_that_is_chosen_from_another_channel_is_asked_about(
    sim: SimulatedBot,
) -> None:
    """A lobby loses nothing, and closes at once. A yes counts once."""
    home, sim.channel = sim.channel, sim.guild.create_text_channel("den")
    await sim.live("Anna", "Ben", rounds=1)
    table, sim.channel = sim.table, home
    mod, local = someone(sim, "Mod", MODERATOR), sim.person("Local")
    choice = await asks(mod, "moderate close")
    await chooses(mod, choice, "lr1:moderate:close", str(table.id))
    question = mod.private[-1]
    assert f"Close table {table.id}" in words(question)
    assert await acts(sim) == []
    own = await asks(local, "help")
    await forges(local, own, f"lr1:moderate:close:{table.id}")
    assert "You need the permission Manage Messages" in words(local.private[-1])
    for said in ("is closed", "already closed"):
        await forges(mod, question, f"lr1:moderate:close:{table.id}")
        assert said in words(mod.private[-1])
    assert await acts(sim) == [(mod.id, "close", table.id)]


@pytest.mark.parametrize("value", ["1", "99", "x", "²", "9" * 400, "-1"])
async def test_a_forged_choice_closes_nothing(sim: SimulatedBot, value: str) -> None:
    """Table 1 is another server's."""
    home = sim.guild, sim.channel
    sim.guild = sim.env.create_guild("Away")
    sim.channel = sim.guild.create_text_channel("away")
    await sim.person("Zoe").open()
    sim.guild, sim.channel = home
    await elsewhere(sim, "Anna", "den")
    mod = someone(sim, "Mod", MODERATOR)
    choice = await asks(mod, "moderate close")
    assert "Zoe" not in str(choice.components)
    await forges(mod, choice, "lr1:moderate:close", value)
    assert "already closed" in words(mod.private[-1])
    assert len(list(sim.app.tables.index)) == 2


async def test_a_match_is_taken_back_once(sim: SimulatedBot) -> None:
    await recorded(sim, match({ANNA: 9, BEN: 5}, guild=GuildId(sim.guild.id)))
    await recorded(sim, match({ANNA: 9, BEN: 5}, guild=GuildId(sim.guild.id + 1)))
    dropped = match({ANNA: 9, BEN: 5}, guild=GuildId(sim.guild.id), standing=Standing.DROPPED)
    await recorded(sim, dropped)
    mod = someone(sim, "Mod", MODERATOR)
    archive = sim.app.archive
    assert (await archive.stats(GuildId(sim.guild.id), ANNA, "ligretto")).rating is not None
    question = await asks(mod, "moderate void", match="1")
    await presses(mod, question, "Yes, void it")
    assert "Match #1 is void. Ratings, records, badges and champions" in words(mod.private[-1])
    assert (await archive.stats(GuildId(sim.guild.id), ANNA, "ligretto")).rating is None
    assert "was already void" in words(await asks(mod, "moderate void", match="1"))
    for number in (2, 77, 2**53 - 1):
        answer = await asks(mod, "moderate void", match=str(number))
        assert f"no match #{number} here" in words(answer)
    assert await acts(sim) == [(mod.id, "void", 1)]


async def test_a_match_is_shown_and_void_only_after_a_yes(sim: SimulatedBot) -> None:
    """A mistyped number shows another match. Nobody takes one back by a press alone."""
    for most in (9, 12):
        await recorded(sim, match({ANNA: most, BEN: 5}, guild=GuildId(sim.guild.id)))
    mod, anna = someone(sim, "Mod", MODERATOR), sim.person("Anna")
    question = await asks(mod, "moderate void", match="2")
    said = words(question)
    assert "Void match #2?" in said
    assert "with +12" in said, "the match as the history shows it"
    assert "ratings, records, badges and season titles go too" in said
    assert "can’t undo this" in said
    assert await acts(sim) == [], "nothing is done yet"
    await presses(mod, question, "No, keep it")
    assert "Nothing changed" in words(mod.private[-1])
    assert not buttons(mod.private[-1])
    assert await acts(sim) == []

    question = await asks(mod, "moderate void", match="2")
    own = await asks(anna, "help")
    await forges(anna, own, "lr1:moderate:void:2")
    assert "You need the permission Manage Messages" in words(anna.private[-1])
    for forged in ("77", "x", "9" * 80, "2:2", ""):
        await forges(mod, question, f"lr1:moderate:void:{forged}")
    assert await acts(sim) == []
    await presses(mod, await asks(mod, "moderate void", match="2"), "Yes, void it")
    assert await acts(sim) == [(mod.id, "void", 2)]
    assert not buttons(mod.private[-1])


async def test_the_end_of_a_void_match_says_so(sim: SimulatedBot) -> None:
    """Who won and how stays; the records have nothing to add to it, after a restart as well."""
    anna, ben = await sim.live("Anna", "Ben", rounds=3)
    await sim.play_out([anna, ben])
    await ben.leave()
    await sim.later(4)
    assert "Rating: " in words(sim.public)
    public, mod = sim.public, someone(sim, "Mod", MODERATOR)
    await presses(mod, await asks(mod, "moderate void", match="1"), "Yes, void it")
    await sim.later(4)
    for _ in range(2):
        assert "Voided by a moderator" in words(public)
        assert "Rating: " not in words(public)
        assert "Anna wins" in words(public)
        await sim.restart()


async def test_a_moderator_of_one_channel_is_none_of_the_server(sim: SimulatedBot) -> None:
    """An overwrite in a channel lets nobody take back matches or close what is elsewhere."""
    await recorded(sim, match({ANNA: 9, BEN: 5}, guild=GuildId(sim.guild.id)))
    table = await elsewhere(sim, "Ben", "den")
    local = sim.person("Local")
    may = discord.PermissionOverwrite(manage_messages=True)
    club = sim.guild.create_text_channel("club", overwrites={local.actor: may})
    sim.channel = club
    for asked in (asks(local, "moderate void", match="1"), asks(local, "moderate close")):
        assert "You need the permission Manage Messages" in words(await asked)
    assert table in list(sim.app.tables.index)
    assert await acts(sim) == []


async def test_what_was_done_is_listed_for_moderators_only(sim: SimulatedBot) -> None:
    mod = someone(sim, "Mod", MODERATOR)
    assert "Nothing yet" in words(await asks(mod, "moderate log"))
    await recorded(sim, match({ANNA: 9, BEN: 5}, guild=GuildId(sim.guild.id)))
    await presses(mod, await asks(mod, "moderate void", match="1"), "Yes, void it")
    await sim.person("Anna").open()
    await asks(mod, "moderate close")
    listed = words(await asks(mod, "moderate log")).splitlines()
    assert f"<@{mod.id}> closed table 1" in listed[1]
    assert f"<@{mod.id}> voided match #1" in listed[2]
    await sim.app.archive.forget(UserId(mod.id))
    assert f"{mod.id}" not in words(await asks(mod, "moderate log"))
    assert "deleted their data" in words(mod.private[-1])


async def test_without_manage_messages_there_is_no_command_and_no_press(sim: SimulatedBot) -> None:
    table = await elsewhere(sim, "Ben", "den")
    mod, anna = someone(sim, "Mod", MODERATOR), sim.person("Anna")
    offered = anna.actor.available_commands(sim.channel)
    assert not [name for name in offered if name.startswith("moderate")]
    for command in ("moderate close", "moderate log"):
        with pytest.raises((SetupError, BackendError)):
            await asks(anna, command)
    choice, own = await asks(mod, "moderate close"), await asks(anna, "help")
    await forges(anna, choice, "lr1:moderate:close", str(table.id))
    assert "message is someone else’s" in words(anna.private[-1])
    await forges(anna, own, "lr1:moderate:close", str(table.id))
    assert "You need the permission Manage Messages" in words(anna.private[-1])
    assert list(sim.app.tables.index) == [table]
    assert await acts(sim) == []


async def test_an_override_of_discords_widens_nothing(sim: SimulatedBot) -> None:
    """Who may see the command by the server's integrations still needs the permission."""
    anna = sim.person("Anna")
    tree: Any = sim.env.bot.tree  # type: ignore[attr-defined]
    command = next(one for one in await tree.fetch_commands() if one.name == "moderate")
    sim.guild.set_command_permissions(command, {anna.actor: True})
    await recorded(sim, match({ANNA: 9, BEN: 5}, guild=GuildId(sim.guild.id)))
    answer = await asks(anna, "moderate void", match="1")
    assert "You need the permission Manage Messages" in words(answer)
    for name in ("moderate close", "moderate log"):
        assert "You need the permission" in words(await asks(anna, name))
    assert await acts(sim) == []


async def test_closing_holds_even_where_it_cannot_be_noted(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def closed(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(sim.app.archive, "closed", closed)
    await sim.person("Anna").open()
    mod = someone(sim, "Mod", MODERATOR)
    assert "is closed" in words(await asks(mod, "moderate close"))
    assert "moderator's closing not recorded" in caplog.text
    assert not list(sim.app.tables.index)


def test_the_commands_are_for_moderators_in_servers(sim: SimulatedBot) -> None:
    group = sim.env.bot.tree.get_command("moderate")  # type: ignore[attr-defined]
    assert group.default_permissions == discord.Permissions(manage_messages=True)
    assert not group.allowed_contexts.dm_channel
