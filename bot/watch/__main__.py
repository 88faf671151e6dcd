"""The drawing process: it answers one request from its input, and ends.

It is a process of its own since a thread would keep the bot's loop from running, and because the
memory that it takes is free again afterwards.
"""

import os
import sys

from bot.watch.messages import answered

BACK = 10
"""How far the bot goes before it where both want the processor."""
SECONDS = 10
"""Processor time after which the system ends it."""


def main() -> None:
    stand_back()
    sys.stdout.buffer.write(answered(sys.stdin.buffer.read()))


def stand_back() -> None:
    """Give the bot precedence, and let the system end a drawing that goes on and on."""
    if hasattr(os, "nice"):
        os.nice(BACK)
        import resource  # noqa: PLC0415 not on every system

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


if __name__ == "__main__":
    main()
