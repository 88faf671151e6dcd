"""The gateway's connections, and the ways in which they break."""

from collections.abc import Sequence

from bot.fakediscord.constants import CloseCode, Opcode
from bot.fakediscord.faults import cut
from bot.fakediscord.gateway.connection import Connection


class GatewayFaults:
    """The faults of these connections, all of them or those of one shard."""

    def __init__(self, connections: Sequence[Connection]) -> None:
        self._connections = connections

    async def close(self, code: int = CloseCode.UNKNOWN_ERROR, shard: int | None = None) -> None:
        """Close with a code (4000 resumable; 4004/4010-4014 fatal; 4007/4009 invalid session)."""
        for connection in self._chosen(shard):
            ends = code in {CloseCode.INVALID_SEQUENCE, CloseCode.SESSION_TIMED_OUT}
            if ends and connection.session is not None:
                connection.session.dead = True
            await connection.close(code)

    def drop(self, shard: int | None = None, duplicates: int = 0) -> None:
        """Cut TCP. `duplicates`: that many already delivered events come again after RESUME."""
        for connection in self._chosen(shard):
            if connection.session is not None:
                connection.session.repeated = duplicates
            cut(connection.request)

    def zombie(self, *, on: bool = True, shard: int | None = None) -> None:
        """Stop acknowledging and dispatching while TCP stays open."""
        for connection in self._chosen(shard):
            connection.zombie = on
            connection.wake()

    def pause(self, *, on: bool = True, shard: int | None = None) -> None:
        """Hold back dispatches (acks too); they are all sent with `on=False`."""
        for connection in self._chosen(shard):
            connection.paused = on
            connection.wake()

    def reconnect(self, shard: int | None = None) -> None:
        """Ask the bot to connect again."""
        for connection in self._chosen(shard):
            connection.send_op(Opcode.RECONNECT)

    def invalidate(self, *, resumable: bool = False, shard: int | None = None) -> None:
        """Tell the bot that its session is invalid."""
        for connection in self._chosen(shard):
            if connection.session is not None and not resumable:
                connection.session.dead = True
            connection.send_op(Opcode.INVALID_SESSION, data=resumable)

    def _chosen(self, shard: int | None) -> list[Connection]:
        """Return the connections of one shard, or of all."""
        return [
            one
            for one in self._connections
            if shard is None or (one.session is not None and one.session.shard[0] == shard)
        ]
