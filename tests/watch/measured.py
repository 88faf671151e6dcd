"""What a drawing process takes: bytes, frames, processor time and memory."""

import os
import subprocess
import sys
import zlib
from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from bot.watch.messages import Watched, WatchRequest, read

NAMES = ("Anna", "Benjamin B.", "Zoë", "Дмитрий", "王", "Frida", "Gustav", "Hanna", "Ingo")
LATER = ("Jana", "Karlheinz der Große", "Lea")


@dataclass
class Largest:
    """The most that any drawing has taken so far. `memory`: in MB."""

    drawn: int = 0
    bytes: int = 0
    frames: int = 0
    seconds: float = 0.0
    memory: float = 0.0

    def draw(self, log: str, round_: int | None = None) -> Watched:
        """Draw a round in a process of its own. Raises what goes wrong in it."""
        request = WatchRequest(zlib.compress(log.encode(), 9), NAMES + LATER, round_).written()
        command = [sys.executable, "-m", "bot.watch"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603 ours
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(request)
            process.stdin.close()
            answer = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, process.returncode
        found = read(answer)
        assert found is not None, "a round to watch"
        self.drawn += 1
        self.bytes = max(self.bytes, len(found.gif))
        self.frames = max(self.frames, frames(found.gif))
        self.seconds = max(self.seconds, used.ru_utime + used.ru_stime)
        self.memory = max(self.memory, used.ru_maxrss / 1024)
        return found

    def __str__(self) -> str:
        return (
            f"{self.drawn:,} drawn, at most {self.bytes / 1024:.0f} KiB, {self.frames} frames, "
            f"{self.seconds:.2f} s of processor time, {self.memory:.0f} MB"
        )


def frames(gif: bytes) -> int:
    with Image.open(BytesIO(gif)) as image:
        return getattr(image, "n_frames", 1)
