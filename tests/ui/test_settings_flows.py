"""What managers set, from the panel to the next table."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import discord
import pytest
from simcord.backend.errors import BackendError
from simcord.backend.errors import SetupError as Hidden

from bot.games import GAMES
from bot.ids import GuildId
from bot.records.models import Settings
from bot.ui.caches.guild_settings import GuildSettings, opening_options, public_locale
from bot.ui.commands.settings import chosen_zone, zones
from tests.ui.managing import MODERATOR, asks, chooses, forges, lists, presses, someone
from tests.ui.simulated import SimulatedBot, simulated_bot, words

OFF = {"lr1:settings:ping": "off"}
"""Nobody is mentioned."""


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


async def prefers(sim: SimulatedBot, settings: Settings) -> None:
    """The server has set this before the bot joined it anew."""
    await sim.app.archive.set(GuildId(sim.guild.id), settings)
    await sim.app.joined(GuildId(sim.guild.id))


async def test_what_is_chosen_holds_for_the_next_table_and_is_kept(sim: SimulatedBot) -> None:
    boss = someone(sim, "Boss")
    panel = await asks(boss, "settings")
    assert "Time zone of leaderboards: **UTC**" in words(panel)
    await presses(boss, panel, "Ligretto")
    length = "rounds=7,target=off"
    for key, value in {"length": length, "assist": "on", "level": "hard"}.items():
        await chooses(boss, panel, f"lr1:settings:set:ligretto:{key}", value)
    assert lists(panel)["lr1:settings:set:ligretto:length"] == length
    await presses(boss, panel, "Back")
    await presses(boss, panel, "Ligretto Dice")
    assert lists(panel)["lr1:settings:set:dice:assist"] == "off", "each game has its own"

    anna = sim.person("Anna")
    await anna.open()
    assert "7 rounds" in words(sim.public)
    assert sim.session.options["assist"] == "on"
    assert sim.session.options["level"] == "hard"
    kept = await sim.app.archive.settings(GuildId(sim.guild.id))
    wanted = {"rounds": "7", "target": "off", "assist": "on", "level": "hard"}
    assert kept.of_game("ligretto") == wanted
    assert kept.of_game("dice") == {}


async def test_a_table_opens_in_its_own_thread_and_panels_are_direct_messages(
    sim: SimulatedBot,
) -> None:
    boss = someone(sim, "Boss")
    panel = await asks(boss, "settings")
    await presses(boss, panel, "Ligretto")
    await chooses(boss, panel, "lr1:settings:set:ligretto:place", "thread")
    await chooses(boss, panel, "lr1:settings:set:ligretto:panels", "dm")
    anna = sim.person("Anna")
    await anna.open()
    await sim.later(3)
    assert "in your direct messages" in words(anna.panel)
    (table,) = sim.app.tables.index
    assert table.session.parent == sim.channel.id


async def test_where_there_can_be_no_thread_the_table_stays(sim: SimulatedBot) -> None:
    await prefers(sim, Settings(defaults={"ligretto": {"place": "thread"}}))
    sim.channel = sim.guild.create_voice_channel("voice")
    anna = sim.person("Anna")
    await anna.open()
    await sim.later(3)
    assert sim.session.options["place"] == "here"


async def test_language_and_logs(sim: SimulatedBot) -> None:
    boss = someone(sim, "Boss")
    panel = await asks(boss, "settings")
    assert lists(panel) == {**OFF, "lr1:settings:language": "server", "lr1:settings:logs": "ever"}
    anna = sim.person("Anna")
    await chooses(boss, panel, "lr1:settings:language", "en")
    await chooses(boss, panel, "lr1:settings:logs", "90")
    await presses(boss, panel, "Yes, delete them")
    assert lists(panel) == {**OFF, "lr1:settings:language": "en", "lr1:settings:logs": "90"}
    await anna.open()
    assert sim.session.opened.locale == "en", "the server's own is en-US"
    assert "I keep it for 90 days" in words(await asks(anna, "privacy"))
    await chooses(boss, panel, "lr1:settings:language", "server")
    await chooses(boss, panel, "lr1:settings:logs", "ever")
    await chooses(boss, panel, "lr1:settings:ping", "on")
    assert (await sim.app.archive.settings(GuildId(sim.guild.id))).ping
    await chooses(boss, panel, "lr1:settings:ping", "off")
    assert (
        replace(await sim.app.archive.settings(GuildId(sim.guild.id)), defaults=None) == Settings()
    )


def test_the_language_is_the_one_set_else_the_servers_else_english() -> None:
    assert public_locale(Settings("en"), "de") == "en"
    assert public_locale(Settings(), "de") == "de"
    assert public_locale(Settings("tlh"), "de") == "de", "a language that is gone"
    assert public_locale(Settings(), None) == "en"


async def test_a_time_zone_is_found_as_one_types(sim: SimulatedBot) -> None:
    boss = someone(sim, "Boss")
    offered = await boss.actor.autocomplete(sim.channel, "settings", "time_zone", "new yo")
    assert [one["value"] for one in offered] == ["America/New_York"]
    offered = await boss.actor.autocomplete(sim.channel, "settings", "time_zone", "berl")
    assert offered[0]["value"] == "Europe/Berlin"
    assert len(await boss.actor.autocomplete(sim.channel, "settings", "time_zone", "")) == 25
    panel = await asks(boss, "settings", time_zone="berlin")
    assert "**Europe/Berlin**" in words(panel)
    assert (await sim.app.archive.settings(GuildId(sim.guild.id))).time_zone == "Europe/Berlin"


async def test_logs_are_deleted_only_after_a_yes(sim: SimulatedBot) -> None:
    """A slip in the list would delete years of them within a day. Longer is no loss."""
    boss = someone(sim, "Boss")
    guild = GuildId(sim.guild.id)
    panel = await asks(boss, "settings")
    await chooses(boss, panel, "lr1:settings:logs", "30")
    assert "Delete match logs older than 30 days?" in words(panel)
    assert (await sim.app.archive.settings(guild)).keep_logs is None
    await presses(boss, panel, "No, keep it")
    assert (await sim.app.archive.settings(guild)).keep_logs is None
    for chosen, kept in (("90", 90), ("30", 30)):
        await chooses(boss, panel, "lr1:settings:logs", chosen)
        await presses(boss, panel, "Yes, delete them")
        assert (await sim.app.archive.settings(guild)).keep_logs == kept
    await chooses(boss, panel, "lr1:settings:logs", "365")
    assert (await sim.app.archive.settings(guild)).keep_logs == 365
    for forged in ("7", "x", "30:30", ""):
        await forges(boss, panel, f"lr1:settings:logs:{forged}")
    assert (await sim.app.archive.settings(guild)).keep_logs == 365


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Berlin", "Europe/Berlin"),
        (" new york ", "America/New_York"),
        ("istanbul", "Europe/Istanbul"),
        ("Buenos Aires", "America/Buenos_Aires"),
    ],
)
async def test_a_city_stands_for_its_time_zone(typed: str, zone: str) -> None:
    """The page asks for one. Parts of several countries that are called the same are no city."""
    known = await zones()
    assert chosen_zone(known, typed) == zone
    assert chosen_zone(known, zone) == zone
    assert chosen_zone(known, "Pacific") is None
    assert chosen_zone(known, "") is None


@pytest.mark.parametrize("zone", ["Bielefeld", "../../etc/passwd", "@everyone", "x" * 3000])
async def test_a_time_zone_that_does_not_exist_is_refused_in_words(
    sim: SimulatedBot, zone: str
) -> None:
    boss = someone(sim, "Boss")
    answer = await asks(boss, "settings", time_zone=zone)
    assert "I don’t know a time zone called" in words(answer)
    assert "Europe/Berlin" in words(answer)
    assert "@everyone" not in words(answer)
    assert (await sim.app.archive.settings(GuildId(sim.guild.id))) == Settings()


async def test_without_manage_server_there_is_no_command_and_no_press(sim: SimulatedBot) -> None:
    boss, anna = someone(sim, "Boss"), someone(sim, "Anna", MODERATOR)
    assert "settings" not in anna.actor.available_commands(sim.channel)
    with pytest.raises((Hidden, BackendError)):
        await asks(anna, "settings")
    panel, own = await asks(boss, "settings"), await asks(anna, "help")
    await forges(anna, panel, "lr1:settings:language", "en")
    assert "message is someone else’s" in words(anna.private[-1])
    for sent, value in {
        "lr1:settings:language": "en",
        "lr1:settings:logs": "30",
        **OFF,
        "lr1:settings:set:ligretto:rounds": "7",
    }.items():
        await forges(anna, own, sent, value)
        assert "You need the permission Manage Server" in words(anna.private[-1])
    await forges(anna, own, "lr1:settings:general")
    assert "You need the permission Manage Server" in words(anna.private[-1])
    assert (await sim.app.archive.settings(GuildId(sim.guild.id))) == Settings()


@pytest.mark.parametrize(
    ("sent", "values"),
    [
        ("lr1:settings:set:ligretto:rounds", ("999",)),
        ("lr1:settings:set:ligretto:nonsense", ("1",)),
        ("lr1:settings:set:chess:rounds", ("1",)),
        ("lr1:settings:game:chess", ()),
        ("lr1:settings:language", ("tlh",)),
        ("lr1:settings:logs", ("-1",)),
        ("lr1:settings:language", ()),
        ("lr1:settings", ()),
        ("lr1:settings:a:b:c:d:e", ()),
        ("lr1:nothing", ()),
        ("lr1", ()),
    ],
)
async def test_a_forged_choice_changes_nothing(
    sim: SimulatedBot, sent: str, values: tuple[str, ...]
) -> None:
    boss = someone(sim, "Boss")
    panel = await asks(boss, "settings")
    await forges(boss, panel, sent, *values)
    said = words(boss.private[-1])
    assert "older version" in said or "know that button" in said
    assert (await sim.app.archive.settings(GuildId(sim.guild.id))) == Settings()


async def test_a_default_that_is_no_choice_any_more_is_passed_over(sim: SimulatedBot) -> None:
    old = {"ligretto": {"rounds": "999", "assist": "on", "gone": "yes"}}
    await prefers(sim, Settings("tlh", None, 77, old))
    boss = someone(sim, "Boss")
    panel = await asks(boss, "settings")
    assert lists(panel) == {**OFF, "lr1:settings:language": "server", "lr1:settings:logs": None}
    await boss.open()
    assert sim.session.options["rounds"] == "3"
    assert sim.session.options["assist"] == "on"
    assert "gone" not in sim.session.options


async def test_a_table_opens_with_the_bots_defaults_when_settings_cannot_be_read(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken:
        async def every_settings(self) -> dict[int, Settings]:
            raise OSError("the disk is gone")

    guild_settings = GuildSettings(Broken())  # type: ignore[arg-type]
    await guild_settings.load()
    assert guild_settings.of(GuildId(1)) == Settings()
    assert "server settings not read" in caplog.text


async def test_settings_hold_after_a_restart(sim: SimulatedBot) -> None:
    boss = someone(sim, "Boss")
    panel = await asks(boss, "settings")
    await chooses(boss, panel, "lr1:settings:language", "en")
    await sim.restart()
    await sim.person("Anna").open()
    assert sim.session.opened.locale == "en", "the server's own is en-US"


async def test_one_change_does_not_undo_another() -> None:
    class Slow:
        """Each write takes a turn of the loop, as a database does."""

        kept = Settings()

        async def settings(self, guild: int) -> Settings:
            return self.kept

        async def set(self, guild: int, chosen: Settings) -> None:
            await asyncio.sleep(0)
            self.kept = chosen

    slow = Slow()
    guild_settings = GuildSettings(slow)  # type: ignore[arg-type]
    await asyncio.gather(
        guild_settings.change(GuildId(1), partial(replace, language="en")),
        guild_settings.change(GuildId(1), partial(replace, keep_logs=30)),
    )
    assert slow.kept == Settings("en", None, 30)
    assert guild_settings.of(GuildId(1)) == slow.kept


@pytest.mark.parametrize("game", GAMES)
def test_without_settings_a_table_opens_as_the_game_says(game: str) -> None:
    options = opening_options(Settings(), GAMES[game])
    assert options["rounds"] in ("3", "full")
    assert options["panels"] == options["place"] == "here"


def test_the_command_is_for_managers_in_servers(sim: SimulatedBot) -> None:
    command = sim.env.bot.tree.get_command("settings")  # type: ignore[attr-defined]
    assert command.default_permissions == discord.Permissions(manage_guild=True)
    assert command.allowed_contexts.guild is True
    assert not command.allowed_contexts.dm_channel
