"""An answer of the server: status, headers, body."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Any

OK, REDIRECTS = 200, 300
NAMES = 256
"""Names of headers that are asked for, in the cache."""
_REASONS = {one.value: one.phrase for one in HTTPStatus}


class Headers(Mapping[str, str]):
    """The headers of one answer; names in any case.

    `fields`: their values by lower-case name. One that was sent twice has both, with a comma.
    """

    __slots__ = ("_fields",)

    def __init__(self, fields: dict[bytes, bytes]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> str:
        return self._fields[_key(name)].decode("latin-1")

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 Mapping's own
        """Return a header's value, else the default: as Mapping does, without an exception."""
        value = self._fields.get(_key(name))
        return default if value is None else value.decode("latin-1")

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _key(name) in self._fields

    def __iter__(self) -> Iterator[str]:
        return (name.decode("latin-1") for name in self._fields)

    def __len__(self) -> int:
        return len(self._fields)


@lru_cache(NAMES)
def _key(name: str) -> bytes:
    return name.lower().encode("latin-1", "replace")


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. `is_repeat`: the request was sent twice, and the first may have been read too."""

    status: int
    headers: Headers
    body: bytes
    is_repeat: bool = False

    @property
    def ok(self) -> bool:
        """True for a success. A redirect is a refusal, and is never followed."""
        return OK <= self.status < REDIRECTS

    @property
    def reason(self) -> str:
        """The standard words for the status; the server's own are not believed."""
        return _REASONS.get(self.status, "")

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")
