"""SQLite's threads and the event loop: which of them the kernel lets run."""

import os
import sqlite3
import threading
from contextlib import suppress
from typing import Any


class WaitingConnection(sqlite3.Connection):
    """A connection whose thread never interrupts the event loop. Made in that thread.

    On Linux, a thread that is woken may take the processor from the one that has woken it. This one
    would only wait for the interpreter's lock, which the event loop still holds: the threads change
    twice for nothing, a tenth of a press. Under SCHED_BATCH, a thread gets as much time as before,
    but waits until another one has nothing to do or has had its share.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 sqlite3's own
        super().__init__(*args, **options)
        if threading.current_thread() is not threading.main_thread():
            _interrupt_nobody()


def _interrupt_nobody() -> None:
    """Set the policy of the current thread, where there is such a thing, and it is allowed."""
    if hasattr(os, "SCHED_BATCH"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
