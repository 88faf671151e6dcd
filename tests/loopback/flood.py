"""Far more presses a second than a process can answer, and how it comes out of that."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.fakediscord import Interaction, Server
from tests.loopback.players import Player

STEP = 0.02
"""Seconds between two handfuls of presses."""
CALM = 0.5
"""Seconds within which a bot at rest answers."""


@dataclass(frozen=True, slots=True)
class Flooded:
    """`answered`: in time, of all that were `pressed`; `recovered`: seconds from the last press of
    the flood until a player is answered as at rest.
    """

    pressed: int
    seconds: float
    answered: int
    refused_late: int
    recovered: float


async def flood(
    server: Server, players: Sequence[Player], crowd: int, rate: int, seconds: float
) -> Flooded:
    """A crowd presses at a table's message, and its players go on pressing on their panels."""
    public = players[0].public
    people = [server.user(f"passer-by-{number}") for number in range(crowd)]
    pressed: list[Interaction] = []
    loop = asyncio.get_running_loop()
    began = loop.time()
    while (now := loop.time() - began) < seconds:
        while len(pressed) < now * rate:
            user = people[len(pressed) % crowd]
            pressed.append(server.click(user, public, "lg1:1:1:flip:0", stale=True))
        pressed += [
            server.click(player.user, player.panel, "lg1:1:1:flip:0", stale=True)
            for player in players
        ]
        await asyncio.sleep(STEP)
    ended = loop.time()
    while not await _is_calm(players[0]):
        pass
    recovered = loop.time() - ended
    return Flooded(
        pressed=len(pressed),
        seconds=ended - began,
        answered=sum(one.ok for one in pressed),
        refused_late=sum(one.late and bool(one.attempts) for one in pressed),
        recovered=recovered,
    )


async def _is_calm(player: Player) -> bool:
    loop = asyncio.get_running_loop()
    asked = loop.time()
    answer = await player.server.click(player.user, player.public, label="My cards").wait()
    return bool(answer.ok) and loop.time() - asked < CALM
