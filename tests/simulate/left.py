"""What must be gone when everybody has gone home, and what a calm log looks like."""

import asyncio
import logging
import re

from tests.simulate.loop import VirtualLoop
from tests.simulate.process import Log
from tests.simulate.witness import Witness

AT_REST = 20
"""Tasks of a bot at rest: the writer, the ticks, the chores, discord.py's own."""
CHORES = 8
"""Tasks of the process around the bot: the connection, its heartbeat, backups, the heart."""
OF_GROUPS = 18
"""Tasks of a group of several: its lease, what it hands to the others, and one more shard."""
LOOKED_AT = 30.0
"""Seconds within which a bot at rest tells what it holds."""
OF_TABLES = ("table ", "discord.py: on_interaction", "CommandTree-invoker")
"""How tasks are called that end with what they are for: a table, a press, a command."""
_HELD = re.compile(r"([0-9]+) ([a-z ]+)")
_ILL = re.compile("full|locked|readonly|read-only|disk I/O")
EXPECTED = (
    "Task was destroyed but it is pending!\ntask: <Task pending name='discord.py: on_",
    "Attempting a reconnect",
    "Failed to connect for shard_id",
    "An error occurred while stopping the gateway",
)
QUERIES = {
    "no table is left": "SELECT count(*) FROM tables WHERE closed = 0",
    "no panel is left": "SELECT count(*) FROM panels",
    "no direct panel is left": "SELECT count(*) FROM direct_panels",
    "no picture is left": "SELECT count(*) FROM pictures",
    "no mention is left": "SELECT count(*) FROM mentions",
    "no entry is left": "SELECT count(*) FROM journal",
}


def nothing_is_left(witness: Witness, log: Log, process: int, *, of_group: bool = False) -> None:
    """No task, table, panel, queue or lock of a bot at whose tables nobody is."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    names = [task.get_name() for task in loop.tasks(process)]
    most = AT_REST + CHORES + OF_GROUPS * of_group
    if len(names) > most or any(name.startswith(OF_TABLES) for name in names):
        witness.broken("no task is left", f"{names}")
    for promise, query in QUERIES.items():
        if (found := witness.query(query)[0][0]) != 0:
            witness.broken(promise, f"{found}")
    held = [one for one in log.lines if one.process == process and one.text.startswith("held: ")]
    if not held or loop.time() - held[-1].at > LOOKED_AT:
        witness.broken("the bot tells what it holds", f"{held[-1:]}")
        return
    for number, what in _HELD.findall(held[-1].text):
        if what != "tasks" and number != "0":
            witness.broken(f"no {what.removesuffix('s')} is left", held[-1].text)
    if locks := [lock for lock in loop.locks_taken() if lock not in loop.lost]:
        witness.broken("no lock is left", f"{locks}")


def log_is_calm(witness: Witness, log: Log) -> None:
    """Nothing surprised the bot: errors in its log have a reason outside it."""
    for one in log.lines:
        bad = one.level >= logging.ERROR or one.trace
        if not bad or one.text.startswith(EXPECTED) or _ILL.search(one.text + one.trace):
            continue
        if not one.name.startswith(("bot", "discord", "asyncio")):
            continue
        witness.broken("nothing surprises the bot", f"{one.at:.3f} {one.text} {one.trace[-400:]}")
