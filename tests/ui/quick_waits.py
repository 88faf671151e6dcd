"""simcord looks through every timer for each task that waits, thousands of times a match. Here each
timer is looked at once.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from simcord import _dpy_internals, _settlement, env


class Timers:
    """The timers under way, by what they do: `simcord._settlement._timer_records_waking`."""

    def __init__(self, state: Any) -> None:
        self._by_waiter: dict[int, list[Any]] = defaultdict(list)
        self._by_task: dict[int, list[Any]] = defaultdict(list)
        for record in state.work.callbacks:
            handle = record.handle
            if record.when is None or handle is None or handle.cancelled():
                continue
            if record.when > state.virtual_time:
                self._add(record)

    def _add(self, record: Any) -> None:
        callback = _dpy_internals._original_callback(getattr(record.handle, "_callback", None))
        owner = getattr(callback, "__self__", None)
        for one in {id(one) for one in (*getattr(record.handle, "_args", ()), owner)}:
            self._by_waiter[one].append(record)
        if isinstance(owner, asyncio.Timeout) and callback.__name__ == "_on_timeout":
            self._by_task[id(owner._task)].append(record)  # type: ignore[attr-defined]

    def waking(self, task: asyncio.Task[Any], waiter: object) -> Iterable[Any]:
        """Those whose only effect is that this task goes on. Some may be named twice."""
        waking = () if waiter is None else self._by_waiter.get(id(waiter), ())
        return (*waking, *self._by_task.get(id(task), ()))


def _virtualize(state: Any, pending: list[asyncio.Task[Any]]) -> None:
    """Waits that are recognized end when time is moved, and not by the machine's clock."""
    timers = Timers(state)
    for task in pending:
        waiter = getattr(task, "_fut_waiter", None)
        if _settlement._recognized_wait(state, task, waiter):
            for record in timers.waking(task, waiter):
                if record.real_handle is not None and not record.real_handle.cancelled():
                    record.real_handle.cancel()


def install() -> None:
    """Have simcord's environment look so."""
    name = "_virtualize_recognized_waits"
    assert vars(env)[name] is vars(_settlement)[name], "simcord looks in another way"
    vars(env)[name] = _virtualize
