"""An event loop whose clock jumps to the next thing that is due."""

import asyncio
import selectors
from collections.abc import Callable, Mapping
from contextvars import Context, ContextVar
from typing import Any, TypeVar

from tests.simulate.network import Network
from tests.simulate.patches import Patches

EPOCH = 1_780_000_000.0
"""Unix time at which every simulation begins: 28 May 2026."""
BEGINNING = 1_000.0
"""Loop time, in seconds, at which every simulation begins."""
NOBODY = 0

PROCESS: ContextVar[int] = ContextVar("process", default=NOBODY)
"""The simulated process that a callback belongs to; 0 is the world around it."""

T = TypeVar("T")


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
    libraries around it take their time from it (see `Patches`).
    """

    def __init__(self, seed: int = 0) -> None:
        self.now = BEGINNING
        self.network = Network(self)
        self._dead: set[int] = set()
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
        """Let time pass while nothing runs, as on a machine that is busy elsewhere."""
        self.now += seconds

    def close(self) -> None:
        super().close()
        self._patches.undo()

    # -- processes --------------------------------------------------------------------------

    def kill(self, process: int) -> None:
        """End a simulated process here and now: none of its code ever runs again."""
        self._dead.add(process)
        for handle in [*self._ready, *self._scheduled]:  # type: ignore[attr-defined]
            if _owner(handle) == process:
                handle.cancel()
        self.network.kill(process)

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = super().call_soon(callback, *args, context=context)
        if self._dead and _owner(handle) in self._dead:
            handle.cancel()
        return handle

    def call_at(
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        handle = super().call_at(when, callback, *args, context=context)
        if self._dead and _owner(handle) in self._dead:
            handle.cancel()
        return handle

    # -- what would use threads or sockets ---------------------------------------------------

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., T], *args: Any
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
        port: Any = None,  # type: ignore[override]
        **options: Any,
    ) -> Any:
        return self.network.listen(protocol_factory, port or 0, options.get("ssl"))

    async def sock_connect(self, sock: Any, address: Any) -> None:
        self.network.address(sock, address)

    async def create_connection(
        self,
        protocol_factory: Any,
        host: Any = None,
        port: Any = None,  # type: ignore[override]
        **options: Any,
    ) -> Any:
        return self.network.connect(protocol_factory, port, options.get("sock"))


def _owner(handle: asyncio.Handle) -> int:
    context: Context = handle._context  # type: ignore[attr-defined]
    return context.get(PROCESS, NOBODY)


def _settle(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
