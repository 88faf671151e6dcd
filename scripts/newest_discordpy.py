"""Try the fast path on discord.py's newest commit: `python -m scripts.newest_discordpy [SOURCE]`.

Run it once a week: `bot/ui/connection/fast_path.py` uses names that discord.py doesn't promise, and
this tells of a change before it is released. SOURCE is anything that pip can install; the exit code
is pytest's.
"""

import sys
import venv
from pathlib import Path
from subprocess import PIPE, run
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
MASTER = "git+https://github.com/Rapptz/discord.py"
TESTS = ("tests/ui/test_fast_path.py", "tests/ui/test_order.py", "tests/loopback/test_matches.py")
KNOWN = """
import discord
from bot.ui.connection import fast_path
print(discord.__version__, fast_path.KNOWN)
"""


def main(source: str) -> int:
    with TemporaryDirectory() as folder:
        python = installed(Path(folder), source)
        found = run([python, "-c", KNOWN], stdout=PIPE, text=True, cwd=ROOT, check=False)
        sys.stdout.write(f"discord.py and whether the fast path is in use: {found.stdout}\n")
        sys.stdout.flush()
        tests = run([python, "-m", "pytest", "-q", *TESTS], cwd=ROOT, check=False)
        return tests.returncode or int("True" not in found.stdout)


def installed(folder: Path, source: str) -> str:
    """Install the project's tests and this discord.py into a new venv. Return its Python."""
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    for wanted in (["-e", f"{ROOT}[test]"], ["--upgrade", "--no-deps", source]):
        run([python, "-m", "pip", "install", "-q", *wanted], check=True)
    return python


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2] or [MASTER]))
