"""The words of what fits, for panels that point it out."""

from functools import lru_cache

from bot.text import Icon, Joined, Text, Value

NAMED = 2
"""Cards that plain text names, so that their line stays one on a narrow phone."""
NO_FITS = Text("panel.no_fits", (("gap", Icon("gap")),))
HINTS_ON = Text("panel.hints_on", (("gap", Icon("gap")),))
"""What stands there while all lies face down. Each has an icon, so that its height is the same."""


KEPT = 1024
"""Texts in the cache: what fits changes less often than a panel is drawn."""


@lru_cache(KEPT)
def fits(names: tuple[str, ...]) -> Text:
    """Name what fits, by the icons of all. Plain text names the first, and how many more."""
    if not names:
        return NO_FITS
    icons = tuple(map(Icon, names))
    few: tuple[Value, ...] = icons[:NAMED]
    if (more := len(icons) - NAMED) > 0:
        few = (*few, f"+{more}")
    return Text("panel.fits", (("cards", Joined(icons)), ("few", Joined(few))))
