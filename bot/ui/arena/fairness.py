"""The answer to an arena's "Fair deal?": its promise, and once it is over its secret."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol

from bot.ids import ArenaId, ChannelId, GuildId, MessageId
from bot.screen import Line, Look, Screen, Words
from bot.tables.arena.message import FAIR
from bot.tables.arenas.arenas import Arenas
from bot.tables.views.lines import sentence, short_promise
from bot.ui.connection.responses import Interaction, private
from bot.ui.records.fairness import GONE
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.custom_id_words import exactly, number
from bot.ui.toolkit.screen_replies import show


class Secrets(Protocol):
    """The secrets of arenas that are over."""

    async def secret(self, guild: GuildId, arena: ArenaId) -> tuple[str, bytes] | None:
        """Return the end of the link to its first message, and the secret; None for any other."""


class ArenaFairness:
    """The button on an arena's message. It answers anybody in the server privately."""

    def __init__(self, router: CommandRouter, arenas: Arenas, secrets: Secrets) -> None:
        self._arenas = arenas
        self._secrets = secrets
        router.on_press(FAIR, self._press)

    async def _press(self, interaction: Interaction, words: Sequence[str]) -> None:
        (asked,) = exactly(words, 1)
        guild, arena_id = guild_of(interaction), ArenaId(number(asked))
        arena = self._arenas.get(arena_id)
        told: Screen | None = None
        if arena is not None and arena.state.opened.guild == guild and not arena.state.is_over:
            told = fair(
                arena.state.secret, _public(arena.state.opened.channel, arena.state.message)
            )
        elif (found := await self._secrets.secret(guild, arena_id)) is not None:
            told = fair(found[1], found[0], is_over=True)
        if told is None:
            await private(interaction, GONE)
        else:
            await show(interaction, told, str(interaction.locale))


def _public(channel: ChannelId, message: MessageId | None) -> str:
    return f"{channel}/{message}" if message is not None else f"{channel}"


def fair(secret: bytes, public: str, *, is_over: bool = False) -> Screen:
    """Draw what is needed to check the deals of an arena, with its secret once it is over."""
    promise = sha256(secret).hexdigest()
    values = (("hash", f"`{promise}`"), ("promise", f"`{short_promise(promise)}`"))
    lines: list[Line] = [
        sentence("button.fair", look=Look.HEAD),
        sentence("arena.fair.promise", values),
        sentence("fair.short", values, Look.SMALL),
        sentence("arena.fair.tables", (("public", f"`{public}`"),)),
    ]
    if is_over:
        lines.append(sentence("fair.secret", (("secret", f"`{secret.hex()}`"),)))
    else:
        lines.append(sentence("arena.fair.wait", look=Look.SMALL))
    return Screen((Words(tuple(lines)),))
