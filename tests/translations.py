"""The words of the commands are the same at every start: tests look each up once a process."""

from typing import Any

from discord import Locale, app_commands

from bot.ui.toolkit.command_words import Translator

KEPT: dict[tuple[str, str], str | None] = {}
"""What the bot said for a key and a locale."""
_translate = Translator.translate


async def _kept(
    self: Translator, string: app_commands.locale_str, locale: Locale, context: Any
) -> str | None:
    key = string.extras.get("key")
    if key is None:
        return await _translate(self, string, locale, context)
    known = key, locale.value
    if known not in KEPT:
        KEPT[known] = await _translate(self, string, locale, context)
    return KEPT[known]


def keep() -> None:
    """From now on each start of the bot uses what a start before it has looked up."""
    Translator.translate = _kept  # type: ignore[method-assign]
