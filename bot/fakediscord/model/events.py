"""Events of a world."""

from dataclasses import dataclass

from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.types import Json


@dataclass(frozen=True, slots=True)
class Event:
    """Something for the gateway: to sessions with the intent, on the guild's shard.

    `without_content`: what sessions get that may not read messages. `interaction`: noted when its
    event reaches a socket.
    """

    name: str
    data: Json
    guild_id: int | None = None
    intent: int = 0
    interaction: Interaction | None = None
    without_content: Json | None = None
