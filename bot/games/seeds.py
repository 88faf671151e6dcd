"""The seed of a match: a secret, mixed with something public that nobody can choose."""

import hmac
from enum import IntEnum

from bot.ids import ChannelId, MessageId


class Scheme(IntEnum):
    """The way a match's deals and rolls follow from its seed (`docs/chance.md`)."""

    COMMON = 1
    """All seats of a deal draw from one stream; later draws depend on the table's moves."""
    OWN = 2
    """Each seat draws from streams of its own."""


def public_part(channel: ChannelId, message: MessageId) -> str:
    """Return the part that everybody can look up: the end of a link to the message."""
    return f"{channel}/{message}"


def mixed(secret: bytes, public: str) -> bytes:
    """Return the 32 bytes of the seed: HMAC-SHA256 of the public part, keyed with the secret."""
    return hmac.digest(secret, public.encode("ascii"), "sha256")
