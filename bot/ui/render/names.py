"""People's names in a message: without markdown, mentions or links, each with its own direction."""

import unicodedata
from functools import lru_cache

from discord.utils import escape_markdown

from bot.i18n import say
from bot.names import columns, plain
from bot.tables.state.session import NAMELESS
from bot.text import Text

__all__ = ["code", "columns", "label", "plain", "safe"]

RIGHT_TO_LEFT = ("R", "AL")
ISOLATE, POP = "\u2068", "\u2069"
KEPT = 4096
"""Names in the cache: a table's own are in most of its lines."""


def label(text: str, width: int, locale: str) -> str:
    """Sanitise a name for a button or a title. A name that shows nothing becomes `Player`.

    A forgotten person's, as tables have it, becomes the word that the records have for them.
    """
    if text == NAMELESS:
        return say(Text("records.nameless"), locale)
    return plain(text, width) or say(Text("name.nobody"), locale)


@lru_cache(KEPT)
def safe(text: str, width: int, locale: str) -> str:
    """Sanitise a name for running text: no markdown, mention or link, and isolated direction.

    Links are broken first, since discord.py escapes nothing inside a link.
    """
    broken = label(text, width, locale).replace("://", ":\u200b//")
    words = escape_markdown(broken).replace("<", "\\<").replace("@", "@\u200b")
    return _isolated(words)


def code(text: str, width: int, locale: str) -> str:
    """Sanitise a name for a code block, where only the fence needs escaping.

    Its direction is isolated too, or the numbers beside it would change sides.
    """
    return _isolated(label(text.replace("`", "'"), width, locale))


def _isolated(words: str) -> str:
    turned = any(unicodedata.bidirectional(c) in RIGHT_TO_LEFT for c in words)
    return f"{ISOLATE}{words}{POP}" if turned else words
