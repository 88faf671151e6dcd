"""Application commands, with their options and translations."""

import re
from collections.abc import Sequence

from bot.fakediscord.constants import CommandType, OptionType
from bot.fakediscord.types import Json
from bot.fakediscord.validation.errors import Form

LOCALES = frozenset(
    {
        *("bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "hi"),
        *("hr", "hu", "id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru"),
        *("sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW"),
    }
)
NAME = re.compile(r"^[-_'\w\u0900-\u097F\u0E00-\u0E7F]{1,32}$")
MOST_COMMANDS = 100
MOST_OPTIONS = MOST_CHOICES = 25
NAME_LENGTH, DESCRIPTION_LENGTH, CHOICE_LENGTH = 32, 100, 100


def check_commands(commands: Sequence[Json]) -> None:
    """Raise an `ApiError` for commands that Discord would not register."""
    form = Form()
    kinds = [command.get("type", CommandType.SLASH) for command in commands]
    if kinds.count(CommandType.SLASH) > MOST_COMMANDS:
        form.add(
            "",
            "APPLICATION_COMMANDS_MAX",
            f"Maximum number of application commands reached ({MOST_COMMANDS})",
        )
    seen: set[tuple[int, str | None]] = set()
    for index, (kind, command) in enumerate(zip(kinds, commands, strict=True)):
        _names(form, str(index), command, lower=kind == CommandType.SLASH)
        if kind == CommandType.SLASH:
            _texts(form, f"{index}.description", command, DESCRIPTION_LENGTH)
        if (kind, command.get("name")) in seen:
            form.add(
                str(index),
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Application command names must be unique",
            )
        seen.add((kind, command.get("name")))
        _options(form, f"{index}.options", command.get("options") or [])
    form.check()


def _options(form: Form, path: str, options: Sequence[Json]) -> None:
    if len(options) > MOST_OPTIONS:
        form.most(path, MOST_OPTIONS)
    seen: set[str | None] = set()
    for index, option in enumerate(options):
        here = f"{path}.{index}"
        _names(form, here, option, lower=True)
        _texts(form, f"{here}.description", option, DESCRIPTION_LENGTH)
        if option.get("name") in seen:
            form.add(
                here,
                "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                "Option name already exists",
            )
        seen.add(option.get("name"))
        _choices(form, f"{here}.choices", option.get("choices") or [])
        _options(form, f"{here}.options", option.get("options") or [])
    _required_first(form, path, options)


def _required_first(form: Form, path: str, options: Sequence[Json]) -> None:
    optional = False
    for index, option in enumerate(options):
        if option["type"] in {OptionType.SUBCOMMAND, OptionType.GROUP}:
            continue
        if option.get("required") and optional:
            form.add(
                f"{path}.{index}",
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional |= not option.get("required")


def _choices(form: Form, path: str, choices: Sequence[Json]) -> None:
    if len(choices) > MOST_CHOICES:
        form.most(path, MOST_CHOICES)
    for index, choice in enumerate(choices):
        here = f"{path}.{index}.name"
        form.length(here, choice.get("name"), 1, CHOICE_LENGTH)
        for locale, name in (choice.get("name_localizations") or {}).items():
            form.length(f"{here}_localizations.{locale}", name, 1, CHOICE_LENGTH)


def _names(form: Form, path: str, node: Json, *, lower: bool) -> None:
    """Check a name in every language. `lower`: nothing but lower case, as people type it."""
    for where, name in _texts(form, f"{path}.name", node, NAME_LENGTH):
        if lower and isinstance(name, str) and (not NAME.match(name) or name != name.lower()):
            form.add(where, "STRING_TYPE_REGEX", "String value did not match validation regex.")


def _texts(form: Form, path: str, node: Json, most: int) -> list[tuple[str, object]]:
    """Check the lengths of a text in every language; return where each stands, and each."""
    key = path.rpartition(".")[2]
    found: list[tuple[str, object]] = [(path, node.get(key))]
    for locale, text in (node.get(f"{key}_localizations") or {}).items():
        where = f"{path}_localizations.{locale}"
        if locale not in LOCALES:
            form.add(where, "BASE_TYPE_CHOICES", f"Unknown locale {locale}")
        found.append((where, text))
    for where, text in found:
        form.length(where, text, 1, most)
    return found
