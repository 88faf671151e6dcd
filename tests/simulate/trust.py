"""A certificate that every client of this process trusts for a while."""

import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp.connector

VARIABLE = "SSL_CERT_FILE"


@contextmanager
def trusted(certificate: str | None) -> Iterator[None]:
    """Python's default contexts trust the certificate in this file, as in a process that is started
    with it in the environment: aiohttp makes its own context at the import. None: plain HTTP.
    """
    if certificate is None:
        yield
        return
    before, its_own = os.environ.get(VARIABLE), aiohttp.connector._SSL_CONTEXT_VERIFIED
    os.environ[VARIABLE] = certificate
    aiohttp.connector._SSL_CONTEXT_VERIFIED = ssl.create_default_context()
    try:
        yield
    finally:
        aiohttp.connector._SSL_CONTEXT_VERIFIED = its_own
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before
