"""New connections: addresses, happy eyeballs, TLS."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import aiohappyeyeballs

from bot.ui.connection.lean_http.connection import Connection

Address: TypeAlias = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, Any]
Lookup: TypeAlias = asyncio.Task[Sequence[Address]]

CONNECT = 10.0
"""Seconds in which a connection is made, TLS included. Callers have less."""
NEXT_ADDRESS = 0.25
"""Seconds after which the next address is tried beside the first (RFC 8305)."""
ADDRESSES_LIVE = 10.0
"""Seconds for which looked-up addresses are used."""


def verifying() -> ssl.SSLContext:
    """Return Python's default context: it verifies the certificate and the host's name."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


class Dialer:
    """Makes connections to one server. `context`: that of TLS; None for plain HTTP."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext | None) -> None:
        self._host, self._port, self._context = host, port, context
        self._lookup: Lookup | None = None  # one for all that wait for it
        self._dies = 0.0

    async def dial(self, make: Callable[[], Connection]) -> Connection:
        """Make a connection. Raises OSError (of the name, TCP or TLS) and TimeoutError.

        Nothing is left of one that is cancelled, but the lookup, which others may wait for.
        """
        async with asyncio.timeout(CONNECT):
            addresses = await self._addresses()
            try:
                sock = await aiohappyeyeballs.start_connection(
                    addresses, happy_eyeballs_delay=NEXT_ADDRESS, interleave=1
                )
                return await self._connected(sock, make)
            except BaseException:
                self._dies = 0.0  # the server may have moved
                raise

    def close(self) -> None:
        """Give up looking for the addresses. Who waits for them raises ConnectionAbortedError."""
        if self._lookup is not None:
            self._lookup.cancel()

    async def _connected(self, sock: socket.socket, make: Callable[[], Connection]) -> Connection:
        loop, made = asyncio.get_running_loop(), list[Connection]()

        def remembered() -> Connection:
            made.append(make())
            return made[-1]

        name = None if self._context is None else self._host
        try:
            _, connection = await loop.create_connection(
                remembered, sock=sock, ssl=self._context, server_hostname=name
            )
        except BaseException:
            for one in made:
                one.give_up()  # it may have been made in the very moment of giving up
            sock.close()
            raise
        return connection

    async def _addresses(self) -> Sequence[Address]:
        loop = asyncio.get_running_loop()
        lookup = self._lookup
        if lookup is None or (lookup.done() and (_failed(lookup) or loop.time() >= self._dies)):
            self._lookup = lookup = loop.create_task(self._looked_up(), name="lookup")
            lookup.add_done_callback(_failed)  # perhaps nobody waits for it any more
        await asyncio.wait((lookup,))
        if lookup.cancelled():
            raise ConnectionAbortedError("the client is closed")
        return lookup.result()

    async def _looked_up(self) -> Sequence[Address]:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(
            self._host, self._port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG
        )
        self._dies = loop.time() + ADDRESSES_LIVE
        return found


def _failed(lookup: Lookup) -> bool:
    return lookup.cancelled() or lookup.exception() is not None
