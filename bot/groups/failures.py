"""Failures of Valkey in an operator's words.

None of them contains the address or the password, or what was asked: it may name a person.
"""

import ssl
from collections.abc import Iterator

from redis.exceptions import (
    AuthenticationError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
)
from redis.exceptions import TimeoutError as RedisTimeoutError

NO_CERTIFICATE = "NO_CERTIFICATE_OR_CRL_FOUND"
NO_DATABASE = "DB index"
"""In the reply to SELECT."""
PASSING = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""Faults of TLS that mean a connection which broke, as at a restart of the server."""


def in_words(error: BaseException) -> str:
    """Return why Valkey can't be used, and what to do where that is known."""
    for one in _causes(error):
        if (reason := without_writes(one) or _unusable(one)) is not None:
            return reason
    return _said(error) or type(error).__name__


def without_writes(error: BaseException) -> str | None:
    """Return why Valkey takes no writes; None if that isn't the failure. Reads succeed then."""
    match error:
        case OutOfMemoryError():
            return "it is full: raise its maxmemory, 64 MB are enough"
        case ReadOnlyError():
            return "it is a read-only replica: write the address of its primary in VALKEY_URL"
        case _ if _said(error).startswith("MISCONF"):
            return "it takes no writes, since it cannot save to its disk: see its log"
        case _ if _said(error).startswith("NOREPLICAS"):
            return "it takes no writes without its replicas: see min-replicas-to-write there"
        case _:
            return None


def _unusable(error: BaseException) -> str | None:
    """Return why Valkey answers nothing at all; None if that isn't known."""
    match error:
        case AuthenticationError() if "required" in str(error):
            return "it asks for a password: write VALKEY_URL as valkey://:PASSWORD@HOST:PORT"
        case AuthenticationError():
            return "it rejects the user or password in VALKEY_URL"
        case NoPermissionError():
            return f"its user in VALKEY_URL may not do what the bot needs: {_said(error)}"
        case ssl.SSLCertVerificationError():
            said = f"its certificate is not trusted ({error.verify_message})"
            return f"{said}: add ?ssl_ca_certs=FILE to VALKEY_URL, or use the name it is made for"
        case ssl.SSLError() if error.reason == NO_CERTIFICATE:
            return "the file of ssl_ca_certs in VALKEY_URL holds no certificate"
        case ssl.SSLError():
            return "it speaks no TLS on this port: write valkey:// in VALKEY_URL, or its TLS port"
        case ConnectionResetError():
            return "it closes the connection: write valkeys:// in VALKEY_URL if it has TLS"
        case ResponseError() if NO_DATABASE in str(error):
            return "it has no database of the number in VALKEY_URL: leave the number out"
        case TimeoutError() | RedisTimeoutError():
            return "no answer in time (a server without TLS gives none to valkeys://)"
        case _:
            return None


def is_lasting(error: BaseException) -> bool:
    """Return whether Valkey can't be used until somebody changes a setting, its own or ours."""
    return is_rejection(error) or any(
        isinstance(one, ssl.SSLError) and not isinstance(one, PASSING) for one in _causes(error)
    )


def is_rejection(error: BaseException) -> bool:
    """Return whether Valkey has answered that it takes no such user, password or database.

    It isn't away then. Faults of TLS are none: a certificate may have run out.
    """
    return any(
        isinstance(one, AuthenticationError | NoPermissionError)
        or (isinstance(one, ResponseError) and NO_DATABASE in str(one))
        for one in _causes(error)
    )


def _said(error: BaseException) -> str:
    """Return what Valkey has said, without the command that redis-py or Valkey itself adds."""
    return str(error).rpartition("of pipeline caused error: ")[2].partition(", with args")[0]


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
