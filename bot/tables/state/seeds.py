"""How a match's seed comes about: of a secret, and of what everybody sees and nobody can choose."""

import hmac
from enum import IntEnum


class Scheme(IntEnum):
    """How a match's deals and rolls follow from its seed (`docs/chance.md`)."""

    COMMON = 1
    """All seats of a deal draw from one stream; later draws go by the table's moves."""
    OWN = 2
    """Each seat draws from streams of its own."""


def public_part(channel: int, message: int) -> str:
    """The part that everybody can look up: the end of a link to the message."""
    return f"{channel}/{message}"


def mixed(secret: bytes, public: str) -> bytes:
    """The seed's 32 bytes: HMAC-SHA256 with the secret as key, over the public part in ASCII."""
    return hmac.digest(secret, public.encode("ascii"), "sha256")
