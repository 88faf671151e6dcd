"""The words of what fits, for panels that point it out."""

from bot.text import Icon, Joined, Text, Value

NAMED = 2
"""Cards that plain text names, so that their line stays one on a narrow phone."""
NO_FITS = Text("panel.no_fits", (("gap", Icon("gap")),))
HINTS_ON = Text("panel.hints_on", (("gap", Icon("gap")),))
"""What stands there while all lies face down. Each has an icon, so that its height is the same."""


def fits(icons: tuple[Icon, ...]) -> Text:
    """Name what fits. Plain text names the first of them, and how many more there are."""
    few: tuple[Value, ...] = icons[:NAMED]
    if (more := len(icons) - NAMED) > 0:
        few = (*few, f"+{more}")
    return Text("panel.fits", (("cards", Joined(icons)), ("few", Joined(few))))
