"""The `/ping` command: latency of Discord and the database, version, and start time."""

from importlib.metadata import version

from bot.text import Joined, Text, bare
from bot.ui.connection.responses import Interaction
from bot.ui.servers.owner import owner_of
from bot.ui.toolkit.command_answers import guild_of, tell
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.command_words import command

VERSION = version("ligretto-bot")
LONGEST = 10.0
"""Seconds: anything above is not a latency, but the time between two heartbeats."""


class Ping:
    """The `/ping` command. Its answer is private; the owner's also names a newer release."""

    def __init__(self, router: CommandRouter) -> None:
        self._archive = router.archive
        self._clock = router.clock
        self._discord = router.tables.discord
        self._since = router.clock.now()
        router.offer(command("ping", self._answer))

    async def _answer(self, interaction: Interaction) -> None:
        """Answer with the latencies. The database is timed with a read of the server's settings."""
        began = self._clock.now()
        await self._archive.settings(guild_of(interaction))
        since = self._discord.now() - (self._clock.now() - self._since)
        values = (
            ("gateway", _ms(interaction.client.latency)),
            ("database", _ms(self._clock.now() - began)),
            ("version", VERSION),
            ("since", f"<t:{int(since)}:R>"),
        )
        said = Text("ping.said", values)
        if (news := interaction.client.owner.news()) is None or not _is_owner(interaction):
            await tell(interaction, said)
            return
        release = Text("ping.release", (("version", news[0]), ("command", f"`{news[1]}`")))
        await tell(interaction, bare(Joined((said, release), between="\n")))


def _is_owner(interaction: Interaction) -> bool:
    return interaction.user.id == owner_of(interaction.client)


def _ms(seconds: float) -> str:
    """Format a latency in ms, or a dash if it isn't known.

    Before the first heartbeat there is none. If a heartbeat's answer arrives before discord.py
    has noted the heartbeat, it reports the time since the one before.
    """
    return f"{seconds * 1000:.0f}" if 0 <= seconds < LONGEST else "–"
