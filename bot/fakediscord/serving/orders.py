"""The orders that a stand-alone server takes, by their names."""

from typing import TYPE_CHECKING

from bot.fakediscord.serving.control import Action
from bot.fakediscord.types import Json

if TYPE_CHECKING:
    from bot.fakediscord.serving.server import Server


def orders(server: "Server") -> dict[str, Action]:
    return {
        "slash": server.slash,
        "click": server.click,
        "select": server.select,
        "view": server.view,
        "panels": server.panels,
        "public": server.public,
        "say": server.say,
        "dismiss": server.dismiss,
        "restart_client": server.restart_client,
        "delete_message": server.delete_message,
        "delete_channel": server.delete_channel,
        "fault": server.fault,
        "channels": lambda: _channels(server),
        "stats": lambda: _stats(server),
        "commands": lambda: list(server.commands.values()),
    }


def _channels(server: "Server") -> list[Json]:
    return [
        {"id": str(one.id), "name": one.name, "guild": one.guild and one.guild.name}
        for one in server.all_channels
    ]


def _stats(server: "Server") -> Json:
    return {
        "statuses": {f"{path} {status}": n for (path, status), n in server.statuses.items()},
        "codes": {f"{path} {code}": n for (path, code), n in server.codes.items()},
        "unknown": dict(server.unknown),
        "429": server.ratelimited,
        "late": server.late,
    }
