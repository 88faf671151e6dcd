"""The words of what fits, for panels that point it out."""

from bot.text import Icon, Joined, Text

NAMED = 2
"""Cards that plain text names, so that their line stays one on a narrow phone."""
NO_FITS = Text("panel.no_fits", (("gap", Icon("gap")),))
HINTS_ON = Text("panel.hints_on", (("gap", Icon("gap")),))
"""What stands there while all lies face down. Each has an icon, so that its height is the same."""


def fits(icons: tuple[Icon, ...]) -> Text:
    """Name what fits. Plain text names the first of them, and how many more there are."""
    more = len(icons) - NAMED
    few = icons[:NAMED] if more <= 0 else (*icons[:NAMED], f"+{more}")
    return Text("panel.fits", (("cards", Joined(icons)), ("few", Joined(few))))
