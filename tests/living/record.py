"""`python -m tests.living.record FOLDER`: an installation that is broken off, for later versions.

The bot of this commit plays in simulated time with a table in every state, and is killed. What it
leaves is written into the folder: its database, Discord's side of it, and where it comes from.
"""

import argparse
import asyncio
import logging
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.fakediscord import Server
from tests.living.installation import Files, Installation, Left, Made, dumped, installed
from tests.living.people import Table
from tests.living.world import kept
from tests.simulate import screens
from tests.simulate.loop import VirtualLoop

ROOT = Path(__file__).resolve().parents[2]
BOT = ("bot", "migrations")
"""What makes one bot differ from another."""
SETTLED = 5.0
"""Seconds after which every screen shows what has happened."""
LOOKS = {"cards": 30, "expert": 20, "dice": 10}
"""Looks of each person at their screen, until a round is left in the middle."""
NAMES = (
    "anna ben carl dora emil frida gus hana ivo jana karl lena "
    "mara nils olga paul quirin rosa sven tina uwe vera walt xenia"
)
GAMES: dict[str, tuple[str, dict[str, str]]] = {
    "cards": ("ligretto", {}),
    "expert": ("ligretto", {"variant": "expert"}),
    "dice": ("dice", {}),
}
ASIDE = {
    ("cards", "mid round"): {"refill": "hand"},
    ("expert", "pause"): {"place": "thread"},
    ("dice", "mid round"): {"panels": "dm"},
}
"""Further options, so that a thread and direct messages are left as well."""
ASKED = ("rules", "leaderboard", "stats", "history", "settings", "plain", "privacy")
"""Commands whose answers have buttons."""


async def lobby(table: Table, game: str) -> None:
    """A robot is in, and the host has the lists before them."""
    _ = await table.press(table.host, "Add robot")
    _ = await table.press(table.host, "Options")


async def mid_round(table: Table, game: str) -> None:
    """The host still has the lists before them."""
    _ = await table.press(table.host, "Options")
    await _start(table)
    looks = iter(range(LOOKS[game] * len(table.people)))
    await table.play(lambda: next(looks, None) is None)


async def pause(table: Table, game: str) -> None:
    """A round is over, and somebody is being asked whether to leave for good."""
    await _start(table)
    await table.play(lambda: screens.pressable(table.message, "Next round") is not None)
    _ = await table.press(table.people[-1], "Leave")


async def ended(table: Table, game: str) -> None:
    await _start(table)
    await table.play(lambda: table.is_over)


async def _start(table: Table) -> None:
    _ = await table.press(table.host, "Start")
    await asyncio.sleep(SETTLED)


STATES: dict[str, tuple[str, Callable[[Table, str], Awaitable[None]]]] = {
    "ended": ("3", ended),
    "pause": ("2", pause),
    "mid round": ("1", mid_round),
    "lobby": ("1", lobby),
}
"""How each is reached, and in how many rounds its match is. Lobbies are the last to be opened:
they close first.
"""


async def left_behind(there: Installation, states: Iterable[str]) -> tuple[Left, ...]:
    """Play until there is a table in each of the states, for every game."""
    await there.start()
    channels, names = iter(there.server.all_channels), iter(NAMES.split())
    tables = []
    for state in states:
        async with asyncio.TaskGroup() as together:
            for game in GAMES:
                people = (next(names), next(names))
                left = Left(next(channels).id, game, state, people)
                tables.append(left)
                together.create_task(_reach(there.server, left))
    await _ask(there.server)
    await asyncio.sleep(SETTLED)
    return tuple(tables)


async def _reach(server: Server, left: Left) -> None:
    channel = server.channels[left.channel]
    table = Table(server, channel, tuple(map(server.user, left.people)))
    command, options = GAMES[left.game]
    rounds, reach = STATES[left.state]
    _ = await server.slash(table.host, channel, command).wait()
    chosen = {"rounds": rounds, **options, **ASIDE.get((left.game, left.state), {})}
    for key, value in chosen.items():
        await table.set_option(key, value)
    await asyncio.sleep(SETTLED)
    for user in table.people[1:]:
        _ = await table.press(user, "Join")
    await reach(table, left.game)
    await asyncio.sleep(SETTLED)


async def _ask(server: Server) -> None:
    """The owner has asked for everything that can be asked for, in the last channel."""
    channel = server.all_channels[-1]
    for command in ASKED:
        answer = await server.slash(server.owner, channel, command).wait()
        assert answer.ok, f"/{command}: {answer}"
        await asyncio.sleep(1.0)


async def recorded(
    folder: Path, commit: str, date: str, states: Iterable[str] = tuple(STATES)
) -> Files:
    """Play an installation, and kill the bot. `folder`: for its files while it runs."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    server = Server(guilds=1, channels=len(GAMES) * len(STATES) + 1)
    async with installed(server, folder) as there:
        tables = await left_behind(there, states)
        assert not there.surprises, there.surprises
        there.bot.kill()
        schema, sql = dumped(there.bot.database)
        made = Made(commit, date, schema, loop.wall(), tables)
        return Files(made, kept(server), sql)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.living.record", description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="a new folder, such as tests/living/installations/1.2"
    )
    folder = parser.parse_args(arguments).folder
    if folder.exists():
        parser.error(f"{folder} is there already: what a version has left is never changed")
    if _git("status", "--porcelain", "--", *BOT):
        parser.error("the bot has changes that are not committed")
    commit = _git("log", "-1", "--format=%H", "--", *BOT)
    date = datetime.now(UTC).date().isoformat()
    with TemporaryDirectory() as scratch, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(recorded(Path(scratch), commit, date)).write(folder)
    size = sum(file.stat().st_size for file in folder.iterdir())
    sys.stdout.write(f"{folder}: {size / 1000:.0f} kB\n")
    # A bot that was killed has closed nothing, and Python says so at the end.
    logging.disable()
    return 0


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 our own list
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
