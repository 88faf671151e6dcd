"""simcord looks through every timer for each task that waits, thousands of times a match. Here each
timer is looked at once, and none whose clock is stopped already.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, NamedTuple

from simcord import _dpy_internals, _runtime, _settlement, env


class Timers:
    """The timers under way, by what they do: `simcord._settlement._timer_records_waking`."""

    def __init__(self, state: Any, records: Iterable[Any]) -> None:
        self._by_waiter: dict[int, list[Any]] = defaultdict(list)
        self._by_task: dict[int, list[Any]] = defaultdict(list)
        for record in records:
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
    going = [one for one in state.work.callbacks if _goes_by_the_machine(one)]
    if not going:
        return
    timers = Timers(state, going)
    for task in pending:
        waiter = getattr(task, "_fut_waiter", None)
        if _settlement._recognized_wait(state, task, waiter):
            for record in timers.waking(task, waiter):
                record.real_handle.cancel()


def _goes_by_the_machine(record: Any) -> bool:
    return record.real_handle is not None and not record.real_handle.cancelled()


def is_parked(state: Any, task: asyncio.Task[Any], deadline: float) -> bool:
    """Most tasks wait in the bot's own clock, which says so: nothing else is looked for then."""
    waiter = getattr(task, "_fut_waiter", None)
    waits = waiter is not None and not waiter.done()
    if waits and state.work.external_waits.get(task):
        return True
    return bool(_settlement._is_parked(state, task, deadline))


class State(NamedTuple):
    """What simcord makes for each task that it looks at: a tuple is made sooner."""

    work: Any
    bot: Any
    loop: Any
    virtual_time: float
    advancing: bool
    generation: int
    last_dispatch: str | None


def _never(_env: Any, _record: Any, *_of: Any) -> None:
    """No timer goes off by the machine's clock: time passes when a test moves it."""


def install() -> None:
    """Have simcord's environment look so, and find a callback that ran by what it is."""
    ours = {"_virtualize_recognized_waits": _virtualize, "_is_parked": is_parked}
    for name, quick in ours.items():
        assert vars(env)[name] is vars(_settlement)[name], "simcord looks in another way"
        vars(env)[name] = quick
    theirs = vars(env)["_SettlementState"]
    assert tuple(one.name for one in fields(theirs)) == State._fields
    vars(env)["_SettlementState"] = State
    _runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]
    env.Env._schedule_timer = _never  # type: ignore[assignment, method-assign]
