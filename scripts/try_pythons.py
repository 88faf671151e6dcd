"""Try an installed wheel on other Pythons: `python -m scripts.try_pythons PYTHON…`.

Each Python gets a fresh environment with the wheel and the pinned libraries. In an empty folder, it
runs the demo, and a match of cards against five robots is played on its page to the end.
A line per Python goes to stdout; the exit code is 1 if one of them failed.
"""

import os
import re
import signal
import sys
import time
from pathlib import Path
from subprocess import PIPE, CalledProcessError, Popen, run
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
SELF = """
import platform, sys
from importlib.util import find_spec
bits = "64-bit" if sys.maxsize > 2**32 else "32-bit"
print(platform.python_version(), platform.machine(), bits, end=" ")
print("with zstandard" if find_spec("zstandard") else "without zstandard", end="")
"""


def tried(python: str, folder: Path) -> str:
    """Install the wheel for this Python and play. Return a line about it.

    Raises CalledProcessError, or RuntimeError if the demo said something wrong or nothing.
    """
    began = time.monotonic()
    own = folder / "venv"
    quiet(python, "-m", "venv", str(own))
    inside = str(own / "bin" / "python")
    quiet(inside, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    pinned = str(ROOT / "constraints.txt")
    quiet(inside, "-m", "pip", "install", "-q", "-c", pinned, str(wheel))
    installed = time.monotonic() - began
    found = quiet(inside, "-c", SELF)
    return f"{found}: installed in {installed:.0f} s, {demo(own, folder)}"


def quiet(*words: str) -> str:
    return run(words, check=True, capture_output=True, text=True).stdout


def demo(own: Path, folder: Path) -> str:
    """Run the demo in an empty folder and play on its page. Return what was seen."""
    (empty := folder / "empty").mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    told = folder / "stderr"
    began = time.monotonic()
    words = [str(own / "bin" / "ligretto-bot"), "demo", "--port", "0", "--no-browser"]
    with (
        told.open("w") as errors,
        Popen([*words, "--seats", "6"], cwd=empty, env=env, stdout=PIPE, stderr=errors) as process,
    ):
        try:
            assert process.stdout is not None
            lines = (line.decode() for line in process.stdout)
            url = next((found[0] for line in lines if (found := ADDRESS.search(line))), None)
            if url is None:
                raise RuntimeError(told.read_text())
            page = time.monotonic() - began
            presses = play(own, url)
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(60)
    if "Traceback" in told.read_text() or code or [*empty.iterdir()]:
        raise RuntimeError(f"exit code {code}: {told.read_text()}")
    return f"page after {page:.1f} s, a match of {presses} presses played to its end"


def play(own: Path, url: str) -> int:
    """Play with the libraries that were installed, in a process of their Python."""
    words = [str(own / "bin" / "python"), "-m", "scripts.play_demo", url]
    done = run(words, cwd=ROOT, stdout=PIPE, check=True, text=True)
    return int(done.stdout)


def main(pythons: list[str]) -> int:
    failed = False
    for python in pythons:
        with TemporaryDirectory() as folder:
            try:
                said = tried(python, Path(folder))
            except (CalledProcessError, RuntimeError) as error:
                failed, said = True, f"{python}: failed: {error}\n{getattr(error, 'stderr', '')}"
        sys.stdout.write(said + "\n")
        sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
