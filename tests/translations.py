"""The words of the commands are the same at every start: tests look each up once a process."""

import json
from typing import Any

from discord import Locale, app_commands

from bot.ui.toolkit.command_words import Translator

KEPT: dict[tuple[str, str], str | None] = {}
"""What the bot said for a key and a locale."""
PAYLOADS: dict[str, dict[str, Any]] = {}
"""A command in every language by its English. discord.py asks 31 locales for each word."""
_translate = Translator.translate
_payload = app_commands.Command.get_translated_payload


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


async def _kept_payload(
    self: app_commands.Command[Any, Any, Any],
    tree: app_commands.CommandTree[Any],
    translator: app_commands.Translator,
) -> dict[str, Any]:
    if type(translator) is not Translator:
        return await _payload(self, tree, translator)
    english = json.dumps(self.to_dict(tree))
    if english not in PAYLOADS:
        PAYLOADS[english] = await _payload(self, tree, translator)
    return PAYLOADS[english].copy()


def keep() -> None:
    """From now on each start of the bot uses what a start before it has looked up."""
    Translator.translate = _kept  # type: ignore[method-assign]
    app_commands.Command.get_translated_payload = _kept_payload  # type: ignore[method-assign]
