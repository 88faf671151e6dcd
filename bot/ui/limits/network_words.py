"""Failures of the network in plain words."""

import socket
import ssl

import aiohttp

_PLAIN = {
    socket.gaierror: "address not found; is this machine online?",
    ConnectionRefusedError: "no connection (refused)",
    ConnectionAbortedError: "connection closed",
}


def network_words(error: BaseException) -> str | None:
    """Return a failure of the network as a clause with its remedy; None for any other error.

    A certificate that isn't valid yet, or no longer, is most often a wrong clock: a machine without
    a battery for it starts years behind.
    """
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return f"{error.host}: {_certificate(error.certificate_error)}"
        case ssl.SSLCertVerificationError():
            return _certificate(error)
        case aiohttp.ClientConnectorDNSError():
            return f"{error.host}: address not found; is this machine online?"
        case aiohttp.ClientConnectorError():
            return f"{error.host}: no connection ({error.os_error.strerror or error.os_error})"
        case aiohttp.TooManyRedirects():
            return "it redirects too often"
        case TimeoutError():
            return "no answer in time"
        case aiohttp.ServerDisconnectedError() | ConnectionResetError() | BrokenPipeError():
            return "connection broken off"
        case aiohttp.ClientOSError():
            return f"connection broken off ({error.strerror or error})"
        case _:
            return next((words for kind, words in _PLAIN.items() if isinstance(error, kind)), None)


def _certificate(error: Exception) -> str:
    why = getattr(error, "verify_message", "") or str(error)
    return f"certificate rejected ({why}); is this machine's clock right?"
