"""A command of the owner's that takes each daily backup off the machine."""

import asyncio
import logging
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

PATIENCE = 60 * 60.0
"""Seconds after which a command that hasn't ended is killed."""
GAP = "{}"
MOST = 200
"""Characters of what it said that a log line shows."""


class CommandFailedError(Exception):
    """The command could not be started, failed, or took too long. The message says which."""


async def hand_over(command: Sequence[str], file: Path) -> None:
    """Run the command on a backup, and wait for its end. No shell is involved.

    `{}` in it stands for the backup's path, which is its last word if it has none. Raises
    CommandFailedError. Cancelling kills the command.
    """
    words = command if any(GAP in word for word in command) else (*command, GAP)
    try:
        process = await asyncio.create_subprocess_exec(
            *(word.replace(GAP, str(file)) for word in words),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
        )
    except OSError as error:
        raise CommandFailedError(f"BACKUP_COMMAND: {command[0]}: {error.strerror}") from None
    try:
        async with asyncio.timeout(PATIENCE):
            _, said = await process.communicate()
    except TimeoutError:
        raise CommandFailedError(f"BACKUP_COMMAND: not done after {PATIENCE:.0f} s") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()
    if process.returncode:
        last = said.decode(errors="replace").strip().rpartition("\n")[2][:MOST]
        raise CommandFailedError(f"BACKUP_COMMAND: exit code {process.returncode}: {last}")
    log.info("backup %s handed over to %s", file, command[0])
