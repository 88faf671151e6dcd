"""The settings of a bot that is more than one process, and whether they fit together."""

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qs, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from bot.groups.layout import MOST, shards

SCHEMES = ("valkey", "valkeys", "redis", "rediss", "unix")
TLS = ("valkeys", "rediss")
OPTIONS = (
    "db",
    "ssl_ca_certs",
    "ssl_certfile",
    "ssl_cert_reqs",
    "ssl_check_hostname",
    "ssl_keyfile",
)
"""Options behind `?` in the address. All but the first are TLS's."""
FILES = {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile"}


def _ids(value: str | tuple[int, ...]) -> tuple[int, ...]:
    return shards(value) if isinstance(value, str) else value


def _url(value: SecretStr) -> SecretStr:
    """Return the address with a scheme that its client knows. `s` at its end is TLS.

    Raises ValueError for anything else, and never shows it: it may hold a password.
    """
    text = value.get_secret_value()
    scheme, rest = text.partition("://")[::2]
    if scheme not in SCHEMES or not rest or not _has_a_port(text) or _is_cut(text):
        raise ValueError(
            "must be an address such as valkey://127.0.0.1:6379 or "
            "valkeys://:PASSWORD@HOST:6379 (with TLS). In a password, write / as %2F, # as %23, "
            "? as %3F, @ as %40 and % as %25"
        )
    for option in _options(text):
        if option not in OPTIONS:
            near = get_close_matches(option, OPTIONS, 1)
            meant = f"; did you mean {near[0]}?" if near else f": it has {', '.join(OPTIONS)}"
            raise ValueError(f"{option} is no option of the address{meant}")
        if option != OPTIONS[0] and scheme not in TLS:
            raise ValueError(f"{option} needs TLS: write valkeys:// with an s")
    _refuse_bad_values(text)
    return SecretStr(f"{scheme.replace('valkey', 'redis')}://{rest}")


def _options(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query, keep_blank_values=True)


def _refuse_bad_values(address: str) -> None:
    """Raise ValueError for a database that is no number, and for a file that can't be read."""
    parts, options = urlsplit(address), _options(address)
    of_path = [] if parts.scheme == "unix" else [parts.path.strip("/")]
    for number in (*filter(None, of_path), *options.get(OPTIONS[0], ())):
        if not number.isdecimal():
            raise ValueError(f"{number} is no number of a database: leave it out")
    for option in FILES & options.keys():
        try:
            Path(options[option][0]).open("rb").close()
        except OSError as error:
            raise ValueError(f"the file of {option} cannot be read: {error.strerror}") from None


def _has_a_port(address: str) -> bool:
    """Return whether the port of an address is one, or it has none."""
    try:
        return urlsplit(address).port != 0
    except ValueError:
        return False


def _is_cut(address: str) -> bool:
    """Return whether a sign in the password has ended the part of the address with the host."""
    parts = urlsplit(address)
    return parts.scheme != "unix" and "@" in parts.path + parts.query + parts.fragment


def _count(value: object) -> object:
    if isinstance(value, str) and not (value.isdecimal() and 0 < int(value) <= MOST):
        raise ValueError(f"must be the number of the bot's shards, from 1 to {MOST}")
    return value


ShardCount = Annotated[int, BeforeValidator(_count), Field(gt=0, le=MOST)]
ShardIds = Annotated[tuple[int, ...], NoDecode, BeforeValidator(_ids)]
ValkeyUrl = Annotated[SecretStr, AfterValidator(_url)]


def fit(count: int | None, ids: tuple[int, ...], url: SecretStr | None) -> None:
    """Raise ValueError unless all three are set, or none, and the bot has such shards."""
    given = (count is not None, bool(ids), url is not None)
    if any(given) and not all(given):
        raise ValueError("SHARD_COUNT, SHARD_IDS and VALKEY_URL belong together: set all three")
    if count is not None and ids[-1] >= count:
        raise ValueError(
            f"SHARD_IDS: shards are numbered from 0 to {count - 1}, one less than SHARD_COUNT"
        )
