"""The words of the commands are the same at every start: tests look each up once a process, and the
stand-in looks once at whether Discord would take them.
"""

from collections.abc import Sequence
from typing import Any

import orjson
from discord import Locale, app_commands

from bot.fakediscord.rest import commands as registering
from bot.fakediscord.validation.commands import check_commands
from bot.ui.toolkit.command_words import Translator

KEPT: dict[tuple[str, str], str | None] = {}
"""What the bot said for a key and a locale."""
PAYLOADS: dict[bytes, dict[str, Any]] = {}
"""A command in every language by its English. discord.py asks 31 locales for each word."""
TAKEN: set[bytes] = set()
"""Payloads that the stand-in has found nothing wrong with."""
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
    english = orjson.dumps(self.to_dict(tree))
    if english not in PAYLOADS:
        PAYLOADS[english] = await _payload(self, tree, translator)
    return PAYLOADS[english].copy()


_check = check_commands


def _kept_check(commands: Sequence[dict[str, Any]]) -> None:
    payload = orjson.dumps(commands)
    if payload not in TAKEN:
        _check(commands)
        TAKEN.add(payload)


def keep() -> None:
    """From now on each start of the bot uses what a start before it has looked up."""
    assert vars(registering)["check_commands"] is check_commands
    vars(registering)["check_commands"] = _kept_check
    Translator.translate = _kept  # type: ignore[method-assign]
    app_commands.Command.get_translated_payload = _kept_payload  # type: ignore[method-assign]
