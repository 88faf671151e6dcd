"""The bots that can be compared, and how to install what one of them needs."""

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path

from tests.loopback.bots import ROOT

NODE_FOLDER = user_cache_path("ligretto-bot") / "bench"
"""Where discord.js is looked for: outside the project, which does not need it."""
BOTS = "tests.bench.bots"
JS = ROOT / "tests" / "bench" / "bots" / "discordjs.js"


@dataclass(frozen=True, slots=True)
class Bot:
    """One of them. `command`: arguments of Python, or of Node. `missing`: what to install first, or
    nothing. `root`: the checkout that is run.
    """

    name: str
    command: tuple[str, ...] = ("-m", "bot")
    is_ours: bool = False
    root: Path = ROOT
    env: Mapping[str, str] = field(default_factory=dict)
    version: Callable[[], str] = str
    missing: Callable[[], str] = str


def _package(name: str) -> Callable[[], str]:
    """Say how to install a package of Python's, unless it is installed."""

    def missing() -> str:
        try:
            found = importlib.util.find_spec(name)
        except ValueError:  # it was ruled out in this process
            found = None
        return "" if found else f"pip install {name}"

    return missing


def _discordjs_missing() -> str:
    if shutil.which("node") is None:
        return "install Node 20 or newer, with npm"
    if not (NODE_FOLDER / "node_modules" / "discord.js").is_dir():
        return f"npm install --prefix {NODE_FOLDER} discord.js@14"
    return ""


@cache
def _discordjs_version() -> str:
    script = "process.stdout.write(require('discord.js').version + ' on Node ' + process.version)"
    command = ("node", "-e", script)
    env = os.environ | NODE_ENV
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout  # noqa: S603


NODE_ENV = {"NODE_PATH": str(NODE_FOLDER / "node_modules"), "NODE_ENV": "production"}
OURS = Bot("ours", is_ours=True)
BARE = Bot(
    "bare discord.py", ("-m", f"{BOTS}.bare"), version=lambda: "discord.py " + version("discord.py")
)
DISCORDJS = Bot(
    "discord.js",
    ("node", str(JS)),
    env=NODE_ENV,
    version=lambda: "discord.js " + _discordjs_version(),
    missing=_discordjs_missing,
)
HIKARI = Bot(
    "hikari",
    ("-O", "-m", f"{BOTS}.hikari_bot"),
    version=lambda: "hikari " + version("hikari"),
    missing=_package("hikari"),
)
RAW = Bot("raw floor", ("-m", f"{BOTS}.raw"))
FASTNET = Bot(
    "ours on aiofastnet",
    ("-m", f"{BOTS}.fastnet"),
    is_ours=True,
    version=lambda: "aiofastnet " + version("aiofastnet"),
    missing=_package("aiofastnet"),
)
AIOHTTP = Bot("ours, HTTP_CLIENT=aiohttp", is_ours=True, env={"HTTP_CLIENT": "aiohttp"})
OTHERS = {
    "bare": BARE,
    "discord.js": DISCORDJS,
    "hikari": HIKARI,
    "raw": RAW,
    "aiofastnet": FASTNET,
    "aiohttp": AIOHTTP,
}
"""By what they are called on the command line."""
USUAL = ("bare", "discord.js", "hikari", "raw")


def at(commit: str, root: Path) -> Bot:
    """Our bot as it was in another commit, checked out in a folder."""
    return Bot(commit, is_ours=True, root=root)


def available(names: Sequence[str]) -> tuple[list[Bot], list[str]]:
    """The bots that can be started, and a line for each that can't, with what to install."""
    asked = [OTHERS[name] for name in names]
    reasons = [f"{bot.name} is left out. To measure it: {missing}" for bot, missing in _why(asked)]
    return [bot for bot in asked if not bot.missing()], reasons


def _why(bots: Sequence[Bot]) -> list[tuple[Bot, str]]:
    return [(bot, missing) for bot in bots if (missing := bot.missing())]
