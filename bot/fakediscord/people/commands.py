"""Commands that people type or choose."""

from collections.abc import Mapping

from bot.fakediscord.constants import CommandType, InteractionType, OptionType
from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.model.places import Channel, Guild, Message, User
from bot.fakediscord.people.interactions import InteractionSender, NewInteraction, Resolved
from bot.fakediscord.types import Json
from bot.fakediscord.world import World

NESTED = (OptionType.SUBCOMMAND, OptionType.GROUP)
MENTIONS = (OptionType.USER, OptionType.CHANNEL, OptionType.ROLE, OptionType.MENTIONABLE)
TYPED: Mapping[int, tuple[type, ...]] = {
    OptionType.TEXT: (str,),
    OptionType.INTEGER: (int,),
    OptionType.BOOLEAN: (bool,),
    OptionType.NUMBER: (int, float),
}
"""Python types that a person can enter for an option, by the option's type."""


class Commands:
    """Commands that the bot has registered, as people use them.

    Options are checked as a client would: LookupError for what there is not, ValueError for what
    does not fit.
    """

    def __init__(self, world: World, sender: InteractionSender) -> None:
        self._world, self._sender = world, sender

    def command(
        self, name: str, guild: Guild | None, kind: CommandType = CommandType.SLASH
    ) -> Json:
        """Find a command by its name."""
        there = [*(guild.commands.values() if guild else []), *self._world.commands.values()]
        for command in there:
            if command["name"] == name and command["type"] == kind:
                return command
        names = [command["name"] for command in there]
        raise LookupError(f"the bot registered no command {name!r}; it has {names}")

    def slash(
        self, user: User, channel: Channel, name: str, options: Mapping[str, object] | None = None
    ) -> Interaction:
        """Type a command. `name`: 'command', 'command sub' or 'command group sub'."""
        return self._type(user, channel, name, options or {})

    def autocomplete(
        self,
        user: User,
        channel: Channel,
        name: str,
        options: Mapping[str, object],
        focused: str,
    ) -> Interaction:
        """Ask for suggestions while the option `focused` is being typed."""
        return self._type(user, channel, name, options, focused)

    def context(
        self, user: User, channel: Channel, name: str, target: User | Message
    ) -> Interaction:
        """Choose a command in the menu of a user or a message."""
        resolved = Resolved(channel)
        kind = CommandType.MESSAGE if isinstance(target, Message) else CommandType.USER
        if isinstance(target, Message):
            resolved.payload["messages"] = {str(target.id): target.data}
        else:
            resolved.add(target)
        data = {
            "id": self.command(name, channel.guild, kind)["id"],
            "name": name,
            "type": kind,
            "target_id": str(target.id),
            "resolved": resolved.payload,
        }
        sending = NewInteraction(InteractionType.COMMAND, user, channel, name, data)
        return self._sender.send(sending)

    def _type(
        self,
        user: User,
        channel: Channel,
        name: str,
        options: Mapping[str, object],
        focused: str | None = None,
    ) -> Interaction:
        root, *rest = name.split()
        if channel.guild is not None:
            channel.guild.join(user)
        command = self.command(root, channel.guild)
        path = _path(command, rest)
        innermost, resolved = (path or [command])[-1], Resolved(channel)
        values: list[Json] = [
            _value(innermost, key, value, resolved, focused=key == focused)
            for key, value in options.items()
        ]
        if focused is None:
            _require_all(innermost, name, options)
        for node in reversed(path):
            values = [{"type": node["type"], "name": node["name"], "options": values}]
        data = {
            "id": command["id"],
            "name": root,
            "type": CommandType.SLASH,
            "options": values,
            **resolved.key,
        }
        kind = InteractionType.AUTOCOMPLETE if focused else InteractionType.COMMAND
        return self._sender.send(NewInteraction(kind, user, channel, name, data))


def _path(command: Json, names: list[str]) -> list[Json]:
    """Return subcommands and groups by their names, the innermost last."""
    path: list[Json] = []
    node = command
    for name in names:
        inner = [one for one in node["options"] if one["name"] == name and one["type"] in NESTED]
        if not inner:
            raise LookupError(f"no subcommand {name!r} in /{command['name']}")
        node = inner[0]
        path.append(node)
    return path


def _require_all(node: Json, name: str, given: Mapping[str, object]) -> None:
    options = node.get("options", [])
    missing = [one["name"] for one in options if one.get("required") and one["name"] not in given]
    if missing:
        raise ValueError(f"/{name} needs {missing}")


def _value(node: Json, name: str, value: object, resolved: Resolved, *, focused: bool) -> Json:
    """Return an option as it is sent. Raises LookupError for one that isn't there."""
    there = {option["name"]: option for option in node.get("options", [])}
    if name not in there:
        raise LookupError(f"no option {name!r}; there are {list(there)}")
    option = there[name]
    if option["type"] in MENTIONS:
        value = resolved.add(value)
    elif not focused:
        _check(option, value)
    sent = {"type": option["type"], "name": name, "value": value}
    return sent | ({"focused": True} if focused else {})


def _check(option: Json, value: object) -> None:
    """Raise a ValueError for a value that a client would not send."""
    name, choices = option["name"], option.get("choices")
    if type(value) not in TYPED.get(option["type"], (type(value),)):
        raise ValueError(f"{value!r} cannot be entered for {name!r}")
    if choices and value not in [choice["value"] for choice in choices]:
        raise ValueError(f"{value!r} is no choice of {name!r}")
    if isinstance(value, str):
        size: float = len(value)
        low, high = option.get("min_length"), option.get("max_length")
    elif isinstance(value, int | float):
        size, low, high = value, option.get("min_value"), option.get("max_value")
    else:
        return
    if (low is not None and size < low) or (high is not None and size > high):
        raise ValueError(f"{value!r} is out of range for {name!r}")
