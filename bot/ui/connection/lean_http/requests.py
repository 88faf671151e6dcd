"""Requests as bytes."""

import re

METHODS = frozenset({"DELETE", "GET", "PATCH", "POST", "PUT"})
"""HEAD is none of them: its answers name the length of a body that doesn't follow."""
_PATH = re.compile(r"/[!-~]*")
_VALUE = re.compile(r"[ -~]*")


class Requests:
    """The bytes of requests to one server.

    `prefix`: the part of each path that the API has in common; `agent` and `token`: for the headers
    User-Agent and Authorization. Raises ValueError for a value with a character that no header has.
    """

    def __init__(self, host: str, prefix: str, agent: str, token: str) -> None:
        for value in (host, prefix, agent, token):
            if not _VALUE.fullmatch(value):
                raise ValueError("a control character, or one outside ASCII, in a header")
        self._prefix = prefix
        common = f"Host: {host}\r\nUser-Agent: {agent}\r\nAccept-Encoding: identity\r\n"
        by_bot = f"Authorization: Bot {token}\r\n"
        self._heads = {
            is_bots: f" HTTP/1.1\r\n{common}{by_bot * is_bots}".encode("ascii")
            for is_bots in (False, True)
        }

    def path(self, path: str) -> str:
        """Return a path with what all have in common before it."""
        return self._prefix + path

    def written(self, method: str, path: str, body: bytes | None, *, as_bot: bool) -> bytes:
        """Return a request. `body`: JSON. `as_bot`: with the bot's own token.

        Raises ValueError for another method, or a path with a character that would end its line.
        """
        if method not in METHODS or not _PATH.fullmatch(path):
            raise ValueError(f"no request: {method!r} {path!r}")
        line = f"{method} {self._prefix}{path}".encode("ascii")
        head = self._heads[as_bot]
        if body is None:
            length = b"" if method in ("GET", "DELETE") else b"Content-Length: 0\r\n"
            return b"%b%b%b\r\n" % (line, head, length)
        return b"%b%bContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
            *(line, head),
            *(len(body), body),
        )
