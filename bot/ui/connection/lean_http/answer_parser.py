"""Bytes of one connection into answers, one for each request, within bounds."""

import httptools

from bot.ui.connection.lean_http.replies import OK, REDIRECTS, Headers, Reply
from bot.ui.limits.answers import UnreadableAnswerError

MOST_HEAD = 64 * 2**10
"""Bytes of an answer's headers, those of interim answers before it included."""
MOST_BODY = 2**20
"""Bytes of an answer's body. A message of Discord's has at most a tenth of it."""
MOST_BYTES = 4 * MOST_BODY
"""Bytes of an answer as it is sent: chunks may be small, and each has a line of its own."""
SWITCHING, INTERIM = 101, range(100, 200)
STATUSES = range(100, 600)
LENGTH, TRANSFER, CODING = b"content-length", b"transfer-encoding", b"content-encoding"
PLAIN = (b"", b"identity")


class AnswerParser:
    """The parser of one connection: `begin` before each request, then `feed` what arrives.

    `reply`: the answer, once it is complete. `received`: bytes of it so far. `is_last`: no other
    request may be sent on this connection. Interim answers (1xx) are skipped, except for a switch
    to another protocol, which nobody asked for.
    """

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self.begin()

    def begin(self) -> None:
        """Expect the answer to a new request."""
        self.reply: Reply | None = None
        self.received = 0
        self.is_last = False
        self._fields: dict[bytes, bytes] = {}
        self._body: list[bytes] = []
        self._head_size = self._body_size = 0
        self._has_head = False

    def feed(self, data: bytes) -> None:
        """Take in bytes that have arrived.

        Raises UnreadableAnswerError for what is no answer of HTTP/1.1, over its bounds, or coded.
        Bytes after the answer only end the connection.
        """
        if self.received > MOST_HEAD and not self._has_head:
            raise UnreadableAnswerError("unreadable: too many headers")
        self.received += len(data)
        if self.received > MOST_BYTES:
            raise UnreadableAnswerError("unreadable: too long")
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.is_last = True
        except httptools.HttpParserError as error:
            self.is_last = True
            if self.reply is None:
                cause = error.__context__ or error
                raise UnreadableAnswerError(f"unreadable: {cause}") from error

    def finish(self) -> None:
        """Take in the end of the stream, which ends an answer that names no length."""
        if self._has_head and self.reply is None and not {LENGTH, TRANSFER} & self._fields.keys():
            self.is_last = True
            self._complete()

    # -- called by httptools ------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if self.reply is not None:
            self.is_last = True  # another answer follows, which nobody asked for

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head_size += len(name) + len(value)
        if self._head_size > MOST_HEAD:
            raise UnreadableAnswerError("too many headers")
        if self._has_head:
            return  # after the body
        name = name.lower()
        before = self._fields.get(name)
        self._fields[name] = value if before is None else b"%b, %b" % (before, value)

    def on_headers_complete(self) -> None:
        self._has_head = True
        self._status = self._parser.get_status_code()
        if self._status not in STATUSES or not self._parser.get_http_version().startswith("1."):
            raise UnreadableAnswerError(f"HTTP {self._status}")
        if not self._parser.should_keep_alive():
            self.is_last = True

    def on_body(self, part: bytes) -> None:
        self._body_size += len(part)
        if self._body_size > MOST_BODY:
            raise UnreadableAnswerError("too long")
        self._body.append(part)

    def on_message_complete(self) -> None:
        if self.reply is not None:
            return
        if self._status in INTERIM and self._status != SWITCHING:
            self._has_head = False
            self._fields.clear()
            return
        self._complete()

    def _complete(self) -> None:
        """Make the reply. The body of a refusal in an unknown coding is left out."""
        status, body = self._status, b"".join(self._body)
        if (coding := self._coding()) is not None:
            self.is_last, body = True, b""
            if OK <= status < REDIRECTS:
                raise UnreadableAnswerError(f"HTTP {status}, coded as {coding!r}")
        self.reply = Reply(status, Headers(self._fields), body)

    def _coding(self) -> bytes | None:
        """Return the coding of the body; None for a plain one, the only kind that is asked for."""
        transfer = self._fields.get(TRANSFER)
        if transfer is not None and transfer.strip().lower() != b"chunked":
            return transfer
        coding = self._fields.get(CODING)
        return None if coding is None or coding.strip().lower() in PLAIN else coding
