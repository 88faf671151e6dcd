"""People who manage a server, and what they choose in private messages."""

from functools import partial
from typing import Any

import discord
from simcord.results import InteractionResult, to_discord_message

from bot.records.results import MatchResult
from bot.store.records.result_writing import Report, write
from tests.ui.simulated import Person, SimulatedBot

MANAGER = discord.Permissions(manage_guild=True, manage_messages=True)
MODERATOR = discord.Permissions(manage_messages=True)


def someone(sim: SimulatedBot, name: str, may: discord.Permissions = MANAGER) -> Person:
    """A member with a role of his own."""
    role = sim.guild.create_role(f"{name}'s", permissions=may)
    user = sim.env.create_user(name.lower(), global_name=name)
    return Person(sim, sim.guild.add_member(user, roles=[role]))


async def asks(person: Person, command: str, **options: Any) -> Any:
    """A command, and the private message that answers it."""
    await person.actor.slash(person.simulated_bot.channel, command, **options)
    return person.private[-1]


async def chooses(person: Person, stored: Any, custom_id: str, value: str) -> InteractionResult:
    message = to_discord_message(person.simulated_bot.env, stored)
    return await person.actor.select(message, [value], custom_id=custom_id)


async def presses(person: Person, stored: Any, label: str) -> InteractionResult:
    message = to_discord_message(person.simulated_bot.env, stored)
    return await person.actor.click(message, label=label)


async def forges(person: Person, stored: Any, custom_id: str, *values: str) -> None:
    """A press that Discord's client would not offer."""
    await person.press_old(stored, custom_id, *values)


def lists(stored: Any) -> dict[str, str | None]:
    """Each list's custom id, with the value that is shown as chosen."""
    found: dict[str, str | None] = {}
    rows = [one for box in stored.components for one in box["components"] if one["type"] == 1]
    for one in (item for row in rows for item in row["components"] if item["type"] == 3):
        chosen = [option["value"] for option in one["options"] if option.get("default")]
        found[one["custom_id"]] = chosen[0] if chosen else None
    return found


async def recorded(sim: SimulatedBot, result: MatchResult) -> None:
    """A match that was played before."""
    await sim.app.writer.write([partial(write, report=Report(result, None))])
