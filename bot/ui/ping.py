"""`/ping`: how quickly Discord and the database answer, the version, and since when it runs."""

from importlib.metadata import version

from bot.games.screen import Text
from bot.ui.answers import Interaction
from bot.ui.asking import command, guild_of, tell
from bot.ui.desk import Desk

VERSION = version("ligretto-bot")
LONGEST = 10.0
"""Seconds: what takes longer is no answer, but the time between two heartbeats."""


class Ping:
    """It answers in private."""

    def __init__(self, desk: Desk) -> None:
        self._archive = desk.archive
        self._clock = desk.clock
        self._discord = desk.tables.discord
        self._since = desk.clock.now()
        desk.offer(command("ping", self._answer))

    async def _answer(self, interaction: Interaction) -> None:
        """The database is asked what every table asks it when it opens."""
        began = self._clock.now()
        await self._archive.settings(guild_of(interaction))
        since = self._discord.now() - (self._clock.now() - self._since)
        values = (
            ("gateway", _ms(interaction.client.latency)),
            ("database", _ms(self._clock.now() - began)),
            ("version", VERSION),
            ("since", f"<t:{int(since)}:R>"),
        )
        await tell(interaction, Text("ping.said", values))


def _ms(seconds: float) -> str:
    """Discord's latency is not known before the first heartbeat was answered. discord.py takes the
    time since the heartbeat before for it where an answer comes before its question was noted.
    """
    return f"{seconds * 1000:.0f}" if 0 <= seconds < LONGEST else "–"
