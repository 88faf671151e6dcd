"""Application commands, of everybody or of one guild."""

from bot.fakediscord.constants import CommandType
from bot.fakediscord.rest.call import Answer, Call, Routes
from bot.fakediscord.types import Json
from bot.fakediscord.validation.commands import check_commands
from bot.fakediscord.validation.errors import ApiError


def _commands(call: Call, guild_id: str | None) -> dict[str, Json]:
    return call.guild(guild_id).commands if guild_id else call.world.commands


def _kind(command: Json) -> tuple[str, int]:
    """Return the key by which a command replaces an earlier one."""
    return command["name"], command.get("type", CommandType.SLASH)


def _registered(call: Call, command: Json, guild_id: str | None) -> Json:
    """Return a command as Discord answers it, with the id of the one it replaces."""
    ids = {_kind(one): one["id"] for one in _commands(call, guild_id).values()}
    permissions = command.get("default_member_permissions")
    registered = {
        "integration_types": [0],
        "contexts": None,
        "nsfw": False,
        "options": [],
        "description": "",
        "type": CommandType.SLASH,
        "name_localizations": None,
        "description_localizations": None,
        **{key: value for key, value in command.items() if value is not None},
        "id": ids.get(_kind(command)) or str(call.world.ids()),
        "application_id": str(call.world.app_id),
        "default_member_permissions": None if permissions is None else str(permissions),
        "version": str(call.world.ids()),
    }
    return registered | ({"guild_id": guild_id} if guild_id else {})


def get_all(call: Call, _app_id: str, guild_id: str | None = None) -> Answer:
    there = _commands(call, guild_id).values()
    if call.request.query.get("with_localizations") in {"1", "true"}:
        return list(there)
    return [_in_one_language(command) for command in there]


def _in_one_language(node: Json) -> Json:
    """Return a command, an option or a choice without its other languages."""
    told = {key: value for key, value in node.items() if not key.endswith("_localizations")}
    for key in ("options", "choices"):
        if key in told:
            told[key] = [_in_one_language(one) for one in told[key]]
    return told


def replace_all(call: Call, _app_id: str, guild_id: str | None = None) -> Answer:
    commands = _commands(call, guild_id)
    check_commands(call.json)
    new = [_registered(call, command, guild_id) for command in call.json]
    commands.clear()
    commands.update({command["id"]: command for command in new})
    return new


def add(call: Call, _app_id: str, guild_id: str | None = None) -> Answer:
    check_commands([call.json])
    command = _registered(call, call.json, guild_id)
    _commands(call, guild_id)[command["id"]] = command
    return command


def _command(call: Call, command_id: str) -> Json:
    if command_id not in call.world.commands:
        raise ApiError(10063)
    return call.world.commands[command_id]


def get(call: Call, _app_id: str, command_id: str) -> Answer:
    return _command(call, command_id)


def edit(call: Call, _app_id: str, command_id: str) -> Answer:
    command = _command(call, command_id)
    command.update(call.json)
    return command


def delete(call: Call, _app_id: str, command_id: str) -> None:
    del call.world.commands[_command(call, command_id)["id"]]


ROUTES: Routes = {
    "GET /applications/#/commands": get_all,
    "PUT /applications/#/commands": replace_all,
    "POST /applications/#/commands": add,
    "GET /applications/#/commands/#": get,
    "PATCH /applications/#/commands/#": edit,
    "DELETE /applications/#/commands/#": delete,
    "GET /applications/#/guilds/#/commands": get_all,
    "PUT /applications/#/guilds/#/commands": replace_all,
    "POST /applications/#/guilds/#/commands": add,
}
