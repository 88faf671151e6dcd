"""How a match's seed comes about: of a secret, and of what everybody sees and nobody can choose."""

import hmac


def public_part(channel: int, message: int) -> str:
    """The part that everybody can look up: the end of a link to the message."""
    return f"{channel}/{message}"


def mixed(secret: bytes, public: str) -> bytes:
    """The seed's 32 bytes: HMAC-SHA256 with the secret as key, over the public part in ASCII."""
    return hmac.digest(secret, public.encode("ascii"), "sha256")
