"""A bare hikari bot. hikari is not a dependency of the project: see `tests.bench.compared`."""

import importlib
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import uvloop

SHAPE: list[dict[str, Any]] = json.loads(os.environ.get("SHAPE", "[]"))
hikari: Any = importlib.import_module("hikari")
build: Any = importlib.import_module("hikari.impl")
FLAGS = hikari.MessageFlag.EPHEMERAL | hikari.MessageFlag.IS_COMPONENTS_V2


class Panels:
    """How often each message's button was hit. Their other components are built once."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self._blocks = list(_blocks())
        self._hits: defaultdict[int, int] = defaultdict(int)

    async def started(self, _: Any) -> None:
        rest = self._bot.rest
        command = rest.slash_command_builder("panel", "a panel of one's own")
        await rest.set_application_commands(await rest.fetch_application(), [command])

    async def happened(self, event: Any) -> None:
        match event.interaction:
            case hikari.ComponentInteraction() as press:
                message = press.message.id
                self._hits[message] += 1
                kind, box = hikari.ResponseType.MESSAGE_UPDATE, self._panel(self._hits[message])
                await press.create_initial_response(kind, component=box)
            case hikari.CommandInteraction() as command:
                kind, box = hikari.ResponseType.MESSAGE_CREATE, self._panel(0)
                await command.create_initial_response(kind, component=box, flags=FLAGS)
            case _:
                pass

    def _panel(self, hits: int) -> Any:
        told = build.TextDisplayComponentBuilder(content=f"hits: {hits}")
        return build.ContainerComponentBuilder(components=[*self._blocks, told])


def _blocks() -> Iterator[Any]:
    number = 0
    for block in SHAPE:
        if "text" in block:
            yield build.TextDisplayComponentBuilder(content=block["text"])
        elif "buttons" in block:
            buttons = [_button(one, number + at) for at, one in enumerate(block["buttons"])]
            yield build.MessageActionRowBuilder(components=buttons)
            number += len(buttons)
        else:
            yield build.SeparatorComponentBuilder()


def _button(button: dict[str, Any], number: int) -> Any:
    return build.InteractiveButtonBuilder(
        style=hikari.ButtonStyle.SECONDARY,
        custom_id=f"hit:{number}",
        label=button["label"] or hikari.UNDEFINED,
        emoji="🎲" if button["emoji"] else hikari.UNDEFINED,
        is_disabled=button["disabled"],
    )


def main() -> None:
    uvloop.install()
    bot = hikari.GatewayBot(
        os.environ["DISCORD_TOKEN"],
        rest_url=os.environ["FAKE_DISCORD"] + "/api/v10",
        intents=hikari.Intents.GUILDS,
        banner=None,
        logs="WARNING",
    )
    panels = Panels(bot)
    bot.subscribe(hikari.StartedEvent, panels.started)
    bot.subscribe(hikari.InteractionCreateEvent, panels.happened)
    bot.run(asyncio_debug=False, check_for_updates=False)


if __name__ == "__main__":
    main()
