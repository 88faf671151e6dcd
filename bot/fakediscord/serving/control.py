"""POST /__ctl: drive a stand-alone server from outside, by user names and ids."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import orjson
from aiohttp import web

from bot.fakediscord.faults import Fault
from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.model.places import Message
from bot.fakediscord.types import Json
from bot.fakediscord.world import World

PATH = "/__ctl"
Action: TypeAlias = Callable[..., object]


class Control:
    """The interpreter of orders: {"do": "click", "args": [{"user": "ann"}, …], "kw": {…}}.

    Arguments that stand for something: {"user": name}, {"channel": id}, {"message": id}. An order
    that leads to an interaction is answered once that is, or its deadline is over.
    """

    def __init__(self, world: World, actions: Mapping[str, Action]) -> None:
        self._world, self._actions = world, actions

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """Carry out one order. 400 says what is wrong with it."""
        try:
            found = self._carry_out(orjson.loads(await request.read()))
        except (LookupError, ValueError, TypeError) as error:
            return web.json_response({"error": repr(error)}, status=400)
        if isinstance(found, Interaction):
            await found.wait()
        return web.Response(body=orjson.dumps(_shown(found)), content_type="application/json")

    def _carry_out(self, order: Json) -> object:
        action = self._actions.get(order["do"])
        if action is None:
            raise LookupError(f"do must be one of {sorted(self._actions)}")
        arguments = [self._argument(one) for one in order.get("args") or []]
        return action(*arguments, **(order.get("kw") or {}))

    def _argument(self, given: Any) -> object:  # noqa: ANN401 any JSON
        match given:
            case {"user": name}:
                return self._world.user(name, given.get("locale", "en-US"))
            case {"channel": channel}:
                return self._world.channels[int(channel)]
            case {"message": message}:
                return self._message(int(message))
            case _:
                return given

    def _message(self, number: int) -> Message:
        for channel in self._world.channels.values():
            if number in channel.messages:
                return channel.messages[number]
        raise LookupError(f"there is no message {number}")


def _shown(what: object) -> object:
    """Return something as JSON."""
    match what:
        case Message():
            return message_summary(what)
        case Interaction():
            return _interaction_summary(what)
        case Fault():
            return repr(what)
        case list():
            return [_shown(one) for one in what]
        case _:
            return what


def _interaction_summary(interaction: Interaction) -> Json:
    original = interaction.original
    return {
        "id": str(interaction.id),
        "ok": interaction.ok,
        "type": interaction.callback_type,
        "status": interaction.status,
        "error": interaction.error,
        "latency": interaction.latency,
        "modal": interaction.modal,
        "message": message_summary(original) if original else None,
    }


def message_summary(message: Message) -> Json:
    """Describe a message as a person sees it."""
    names = ("type", "custom_id", "label", "emoji", "disabled", "style", "options", "url")
    return {
        "id": str(message.id),
        "ephemeral": message.ephemeral,
        "version": message.version,
        "text": message.text,
        "loading": message.loading,
        "controls": [{name: getattr(one, name) for name in names} for one in message.controls],
    }
