"""A certificate for this machine, which nobody else trusts."""

import shutil
import ssl
import subprocess
import tempfile
from pathlib import Path

DAYS = 2


class Certificate:
    """A certificate for 127.0.0.1 in a temporary folder. `close` deletes it.

    Needs the program `openssl`.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fakediscord-")
        self.file = Path(self._folder.name, "cert.pem")
        self._key = Path(self._folder.name, "key.pem")
        self._make()

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.file, self._key)
        return context

    def close(self) -> None:
        self._folder.cleanup()

    def _make(self) -> None:
        program = shutil.which("openssl")
        if program is None:
            raise FileNotFoundError("TLS needs the program openssl")
        kind = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        name = "-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
        subprocess.run(  # noqa: S603 nothing in it comes from outside
            [
                *(program, "req", *kind.split(), "-days", str(DAYS), *name.split()),
                *("-keyout", str(self._key), "-out", str(self.file)),
            ],
            check=True,
            capture_output=True,
        )
