"""An event loop whose clock jumps to the next thing that is due."""

import asyncio
import selectors
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping
from contextvars import Context, copy_context
from math import ulp
from typing import Any, TypeVar, TypeVarTuple, Unpack
from weakref import WeakSet

import aiohttp
from aiohttp.connector import Connection

from tests.simulate.network import Network
from tests.simulate.owner import NOBODY, PROCESS
from tests.simulate.patches import Patches
from tests.simulate.stopped import Stopped, owner

EPOCH = 1_780_000_000.0
"""Unix time at which every simulation begins: 28 May 2026."""
BEGINNING = 1_000.0
"""Loop time, in seconds, at which every simulation begins."""
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
_GRAVEYARD: list[asyncio.Task[Any] | AsyncGenerator[Any, Any]] = []
"""Tasks and generators of processes that were killed. Dropped, Python would run the ends of their
functions.
"""


class StalledError(Exception):
    """Nothing is due, now or later: whoever waits would wait for ever."""


class _Selector(selectors.BaseSelector):
    """Waits for nothing: time passes instead, and the network is in memory."""

    def __init__(self, pass_time: Callable[[float], None]) -> None:
        self._pass_time = pass_time
        self._keys: dict[Any, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        fd = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        self._keys[fileobj] = key = selectors.SelectorKey(fileobj, fd, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise StalledError
        if timeout > 0:
            self._pass_time(timeout)
        return []

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop for one simulation: no thread, no socket, no waiting.

    `time` is in seconds and passes only while nothing can run. Work of executors is done at once,
    in the loop. Callbacks of a process that was killed never run. While a loop exists, the
    libraries around it take their time from it (see `Patches`). `lost`: locks that a process had
    when it was killed.
    """

    _clock_resolution: float
    _asyncgens: WeakSet[AsyncGenerator[Any, Any]]

    def __init__(self, seed: int = 0) -> None:
        self.now = BEGINNING
        self.network = Network(self)
        self.lost: set[asyncio.Lock] = set()
        self._dead: set[int] = set()
        self._stopped = Stopped()
        self._tasks: dict[int, WeakSet[asyncio.Task[Any]]] = {}
        self._sessions: dict[int, WeakSet[aiohttp.ClientSession]] = {}
        self._connections: dict[int, WeakSet[Connection]] = {}
        self._generators: dict[int, WeakSet[AsyncGenerator[Any, Any]]] = {}
        self._signals: dict[tuple[int, int], Callable[[], object]] = {}
        self._locks = WeakSet[asyncio.Lock]()
        super().__init__(_Selector(self._pass_time))
        self._patches = Patches(self, seed)

    def _pass_time(self, seconds: float) -> None:
        self.now += seconds

    def time(self) -> float:
        return self.now

    def wall(self) -> float:
        """Unix time by the world's clock."""
        return EPOCH + self.now - BEGINNING

    def stand_still(self, seconds: float) -> None:
        """Let time pass while nothing runs, as on a machine that is busy elsewhere.

        After months a float no longer tells nanoseconds apart, by which asyncio knows what is due.
        """
        self.now += seconds
        self._clock_resolution = max(self._clock_resolution, 2 * ulp(self.now))

    def close(self) -> None:
        super().close()
        self._patches.undo()

    # -- processes --------------------------------------------------------------------------

    def kill(self, process: int) -> None:
        """End a simulated process here and now: none of its code ever runs again."""
        self._dead.add(process)
        self._stopped.forget(process)
        for handle in [*self._ready, *self._scheduled]:  # type: ignore[attr-defined]
            if owner(handle) == process:
                handle.cancel()
        for task in {*self._tasks.pop(process, ()), *self._started_eagerly(process)}:
            if not task.done():
                task._log_destroy_pending = False
                asyncio.tasks._unregister_task(task)
                _GRAVEYARD.append(task)
        for generator in self._generators.pop(process, ()):
            self._asyncgens.discard(generator)
            _GRAVEYARD.append(generator)
        self.lost.update(self.locks_taken())
        for session in self._sessions.pop(process, ()):
            # Python would say of it that it was never closed.
            session.detach()
        for connection in self._connections.pop(process, ()):
            # The same: a stop while discord.py connects to the gateway leaves one to Python.
            connection._protocol = None
        self.network.kill(process)

    def stop_process(self, process: int) -> None:
        """SIGSTOP: nothing of a process runs until `resume_process`."""
        self._stopped.stop(process, self)

    def resume_process(self, process: int) -> None:
        self._stopped.resume(process, self)

    def _started_eagerly(self, process: int) -> list[asyncio.Task[Any]]:
        """Tasks that a library has made past the loop, as aiohttp does from Python 3.12 on. Python
        3.11 does not tell what a task belongs to, and has no such tasks.
        """
        if not hasattr(asyncio.Task, "get_context"):
            return []
        tasks: list[Any] = [*asyncio.all_tasks(self)]
        return [task for task in tasks if task.get_context().get(PROCESS, NOBODY) == process]

    @property
    def has_graves(self) -> bool:
        """Whether a process has ended on this loop."""
        return bool(self._dead)

    def opened(self, session: aiohttp.ClientSession) -> None:
        """The process that runs now has opened a session."""
        self._sessions.setdefault(PROCESS.get(), WeakSet()).add(session)

    def connected(self, connection: Connection) -> None:
        """The process that runs now has taken a connection for a call."""
        self._connections.setdefault(PROCESS.get(), WeakSet()).add(connection)

    def made(self, lock: asyncio.Lock) -> None:
        """A lock is there. Python's own list of all objects takes long to look through."""
        self._locks.add(lock)

    def locks_taken(self) -> list[asyncio.Lock]:
        """Every lock that was made while this loop exists and that somebody has."""
        return [one for one in self._locks if one.locked()]

    def tasks(self, process: int) -> list[asyncio.Task[Any]]:
        """What a process has under way, by name."""
        under_way = [task for task in self._tasks.get(process, ()) if not task.done()]
        return sorted(under_way, key=lambda task: task.get_name())

    def handles(self, process: int, number: int) -> bool:
        """Whether a process does something of its own on a signal."""
        return (process, number) in self._signals

    def signal(self, process: int, number: int) -> None:
        """Tell a process, as the system does. One that handles no such signal is killed."""
        handler = self._signals.get((process, number))
        if handler is None:
            self.kill(process)
        else:
            handler()

    def add_signal_handler(
        self, sig: int, callback: Callable[[Unpack[Ts]], object], *args: *Ts
    ) -> None:
        context = copy_context()
        self._signals[context.get(PROCESS, NOBODY), sig] = lambda: self.call_soon(
            callback, *args, context=context
        )

    def remove_signal_handler(self, sig: int) -> bool:
        return self._signals.pop((PROCESS.get(), sig), None) is not None

    def create_task(
        self,
        coro: Coroutine[Any, Any, T] | Generator[Any, None, T],
        *,
        name: object = None,
        context: Context | None = None,
        **more: Any,
    ) -> asyncio.Task[T]:
        task: asyncio.Task[T] = super().create_task(
            coro, name=None if name is None else str(name), context=context, **more
        )
        process = PROCESS.get() if context is None else context.get(PROCESS, NOBODY)
        if process != NOBODY:
            self._tasks.setdefault(process, WeakSet()).add(task)
        return task

    def call_soon(
        self,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        if self.is_closed() or self.get_debug():
            return super().call_soon(callback, *args, context=context)
        handle = asyncio.Handle(callback, args, self, context)
        if self._stopped and self._stopped.holds(handle):
            return handle
        self._ready.append(handle)  # type: ignore[attr-defined]
        if self._dead and owner(handle) in self._dead:
            handle.cancel()
        return handle

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        handle = super().call_at(when, callback, *args, context=context)
        if self._dead and owner(handle) in self._dead:
            handle.cancel()
        return handle

    def _asyncgen_firstiter_hook(self, agen: AsyncGenerator[Any, Any]) -> None:
        super()._asyncgen_firstiter_hook(agen)  # type: ignore[misc]
        self._generators.setdefault(PROCESS.get(), WeakSet()).add(agen)

    # -- what would use threads or sockets ---------------------------------------------------

    def run_in_executor(
        self, executor: object, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Done at once; whoever waits goes on a step of the loop later, as with a thread."""
        future: asyncio.Future[T] = self.create_future()
        try:
            result = func(*args)
        except Exception as error:
            self.call_soon(_fail, future, error)
        else:
            self.call_soon(_settle, future, result)
        return future

    async def create_server(
        self,
        protocol_factory: Any,
        host: Any = None,
        port: Any = None,
        **options: Any,
    ) -> Any:
        return self.network.listen(protocol_factory, port or 0, options.get("ssl"))

    async def sock_connect(self, sock: Any, address: Any) -> None:
        self.network.address(sock, address)

    async def create_connection(
        self,
        protocol_factory: Any,
        host: Any = None,
        port: Any = None,
        **options: Any,
    ) -> Any:
        sock, context = options.get("sock"), options.get("ssl")
        if not context:
            return self.network.connect(protocol_factory, port, sock)
        name = options.get("server_hostname") or host
        return await self.network.connect_safely(protocol_factory, port, sock, context, name)


def _owner(handle: asyncio.Handle) -> int:
    context: Context = handle._context  # type: ignore[attr-defined]
    return context.get(PROCESS, NOBODY)


def _settle(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
