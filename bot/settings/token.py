"""A bot's token, and what people paste in its place."""

import re
from base64 import urlsafe_b64decode
from binascii import Error

from bot.settings.pasted_text import INVISIBLE, plain

WHOLE = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
LEAST = 25
"""Characters that the last part of a real token has at least: it has 27 or 38."""
_BEFORE = re.compile(r"DISCORD_TOKEN\s*=|bot\s+", re.IGNORECASE)
_ID = re.compile(r"\d{17,20}", re.ASCII)
_KEY = re.compile(r"[0-9a-f]{64}")
_SECRET = re.compile(r"[\w-]{32}", re.ASCII)
COPY_AGAIN = "copy it again from the Bot page (Reset Token)"
COPY = "copy the token from the Bot page (Reset Token)"


def token_of(pasted: str) -> str:
    """Return the token in a text, as the developer portal shows it: three parts with dots between.

    Some people also copy the word `Bot`, quotes, a settings file's line, or characters that nobody
    sees. Raises ValueError that says what the text is instead, and never shows it.
    """
    text = plain(pasted.translate(dict.fromkeys(map(ord, INVISIBLE))))
    while (before := _BEFORE.match(text)) is not None:
        text = plain(text[before.end() :])
    if (other := _other(text)) is not None:
        raise ValueError(other)
    return text


def _other(text: str) -> str | None:
    """Return what a text is if it is no token."""
    if not text:
        return f"this is empty; {COPY}"
    if _ID.fullmatch(text):
        return f"this is an application's id; {COPY}"
    if _KEY.fullmatch(text):
        return f"this is an application's public key; {COPY}"
    if _SECRET.fullmatch(text):
        return f"this is a client secret; {COPY}"
    first, *more = text.split(".")
    if _is_id(first) and (len(more) < 2 or len(more[-1]) < LEAST):  # noqa: PLR2004 three parts
        return f"this is only part of a token; {COPY_AGAIN}"
    if WHOLE.fullmatch(text) is None:
        return (
            f"a token has three parts of letters, digits, - and _, separated by dots; {COPY_AGAIN}"
        )
    return None


def _is_id(part: str) -> bool:
    """Return whether it is what a token begins with: the id of the bot's account in Base64."""
    try:
        return _ID.fullmatch(urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode()) is not None
    except (Error, ValueError):
        return False
