"""Text as people paste it: in quotes, and with characters that nobody sees."""

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
"""Characters of no width, which web pages and chats put beside copied text."""
QUOTES = (
    "\"'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\x91\x92\x93\x94"
)
"""Straight and typographic quotes; the last four are those of Windows-1252, read as Latin-1."""


def plain(value: str) -> str:
    """Strip surrounding white space and quotes, which `docker --env-file` and text editors keep."""
    value = _stripped(value)
    if len(value) > 1 and value[0] in QUOTES and value[-1] in QUOTES:
        value = _stripped(value[1:-1])
    return value


def _stripped(value: str) -> str:
    """Strip white space of any kind, no-break spaces too, and what has no width."""
    return value.strip().strip(INVISIBLE).strip()
