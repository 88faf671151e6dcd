"""People's names in a message: without markdown, mentions or links, each with its own direction."""

import unicodedata

from discord.utils import escape_markdown

from bot.names import NOBODY, columns, plain

__all__ = ["NOBODY", "code", "columns", "plain", "safe"]

RIGHT_TO_LEFT = ("R", "AL")
ISOLATE, POP = "\u2068", "\u2069"


def safe(text: str, width: int) -> str:
    """Sanitise a name for running text: no markdown, mention or link, and isolated direction.

    Links are broken first, since discord.py escapes nothing inside a link.
    """
    broken = plain(text, width).replace("://", ":\u200b//")
    words = escape_markdown(broken).replace("<", "\\<").replace("@", "@\u200b")
    return _isolated(words)


def code(text: str, width: int) -> str:
    """Sanitise a name for a code block, where only the fence needs escaping.

    Its direction is isolated too, or the numbers beside it would change sides.
    """
    return _isolated(plain(text.replace("`", "'"), width))


def _isolated(words: str) -> str:
    turned = any(unicodedata.bidirectional(c) in RIGHT_TO_LEFT for c in words)
    return f"{ISOLATE}{words}{POP}" if turned else words
