"""`python -m bot ...` as it is typed: help, mistakes, and what each command needs."""

import os
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.parser import COMMANDS
from bot.ops.gc_tuning import BUILDING
from tests.forks import ROOT, ran

NOTHING = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
"""An environment without a single setting."""
UNFIT = {"DISCORD_TOKEN": "sesame", "LOG_LEVEL": "loud", "METRICS_PORT": "0", "BACKUPS_KEPT": "x"}
"""Settings that stop the bot."""
PROGRAMS = {"bare", "echo_bot", "fastnet", "hikari_bot", "probe_bot", "raw"}
"""Bots that tests start; nobody types them."""
OWN = {"bot", "bot.watch"}
"""The bot's own commands, tested by their names, and the process that draws for it."""
LOADED = """
import gc
import sys
from bot.cli.main import main

code = main([])
others = (
    *("bot.bench", "bot.demo", "bot.fakediscord", "bot.ops.check.run", "bot.ops.setup"),
    *("bot.simulate", "bot.verify", "bot.watch.drawing", "PIL", "tqdm", "bot.cli.checks"),
    *("bot.cli.offline", "bot.cli.setup", "bot.cli.visits", "bot.store.records.recomputing"),
)
print(code, gc.get_threshold()[0], *sorted(name for name in sys.modules if name.startswith(others)))
"""


def typed(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """`python -m bot <words>` in this folder, to its end."""
    return ran("-m", "bot", *words, cwd=folder, env=NOTHING | env)


def test_help_needs_no_settings_and_names_every_command(tmp_path: Path) -> None:
    ended = typed(tmp_path, "--help")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(
        "usage: python -m bot [-h] [--version] [--take-over] [COMMAND ...]\n"
    )
    named = [line.split()[0] for line in ended.stdout.splitlines() if line[4:5].strip()]
    assert [name for name in named if name in COMMANDS] == [*COMMANDS]
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_of_its_own(command: str, tmp_path: Path) -> None:
    ended = typed(tmp_path, command, "--help", **UNFIT)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(f"usage: python -m bot {command} [-h]")
    assert [*tmp_path.iterdir()] == []


def test_the_version_is_the_projects(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ended = typed(tmp_path, "--version")
    assert (ended.returncode, ended.stdout) == (0, f"ligretto-bot {project['version']}\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("bakcup file", "unknown command bakcup: did you mean backup?"),
        ("exprot out", "unknown command exprot: did you mean export?"),
        ("frobnicate", "unknown command frobnicate: python -m bot --help lists them"),
        ("backup", "the following arguments are required: FILE"),
        ("backup one two", "unrecognized arguments: two"),
        ("check --live general", "a channel id is a number, not 'general'"),
        ("--verison", "unrecognized arguments: --verison: did you mean --version?"),
        ("check --lvie 1", "unrecognized arguments: --lvie 1: did you mean --live?"),
        ("setup --systme", "unrecognized arguments: --systme: did you mean --system?"),
        ("backup one --live", "unrecognized arguments: --live"),
        ("demo --prot 1", "unrecognized arguments: --prot 1: did you mean --port?"),
        ("simulate --ronuds=2", "unrecognized arguments: --ronuds=2: did you mean --rounds?"),
    ],
)
def test_a_mistake_is_told_in_words(words: str, said: str, tmp_path: Path) -> None:
    """What is wrong is the last line, and nothing has been done."""
    ended = typed(tmp_path, *words.split(), **UNFIT)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1].endswith(said)
    assert "Traceback" not in ended.stderr
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("backup copy", "copy: "),
        ("export out", "out: 2 matches"),
        ("ratings", "rated matches: 1"),
        ("restore kept", "restored kept to "),
    ],
)
def test_files_are_touched_without_a_token(words: str, said: str, played: Path) -> None:
    """Neither a missing setting nor a wrong one stops a command that doesn't use it."""
    with closing(sqlite3.connect(played)) as db:
        db.execute("VACUUM INTO ?", (str(played.with_name("kept")),))
    for settings in ({}, UNFIT):
        place = {"DATABASE_PATH": played.name}
        ended = typed(played.parent, *words.split(), **place, **settings)
        assert ended.returncode == 0, ended.stderr
        assert said in ended.stdout
        for made in ("copy", "out"):
            if (there := played.with_name(made)).exists():
                there.rename(played.with_name(f"{made}-{len(settings)}"))


@pytest.mark.parametrize("words", ["backup copy", "export out", "ratings"])
def test_no_database_is_made_in_the_wrong_folder(words: str, tmp_path: Path) -> None:
    ended = typed(tmp_path, *words.split())
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"{tmp_path}/data/ligretto.sqlite3 does not exist\n"
    assert [*tmp_path.iterdir()] == []


def test_a_misspelt_place_of_the_database_is_not_ignored(played: Path) -> None:
    """The backup would be one of another database."""
    (played.parent / ".env").write_text(f"DISCORD_TOKN=x\nDATABASE_PAHT={played}\n")
    ended = typed(played.parent, "backup", "copy")
    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    assert line.startswith("DATABASE_PAHT: unknown setting; did you mean DATABASE_PATH?")


@pytest.mark.parametrize("words", ["--help", "simulate --rounds 2"])
def test_output_that_nobody_reads_is_no_fault(words: str, tmp_path: Path) -> None:
    """As with `| head -1`, which ends before the command does."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        ended = subprocess.run(  # noqa: S603 our own program
            [sys.executable, "-W", "ignore", "-m", "bot", *words.split()],
            cwd=tmp_path,
            env=NOTHING,
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert "Traceback" not in ended.stderr
    assert "BrokenPipe" not in ended.stderr
    assert ended.returncode == 141


def others() -> list[str]:
    """All other modules that are commands."""
    files = [one for room in ("bot", "tests") for one in (ROOT / room).rglob("*.py")]
    commands = [
        one.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for one in files
        if '\nif __name__ == "__main__"' in one.read_text() and one.stem not in PROGRAMS
    ]
    return sorted({one.removesuffix(".__main__") for one in commands} - OWN)


@pytest.mark.parametrize("module", others())
def test_whatever_can_be_typed_has_help(module: str, tmp_path: Path) -> None:
    """And does nothing else: some write files, and `tests` runs for minutes."""
    ended = ran("-m", module, "--help", cwd=tmp_path, env=NOTHING)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(f"usage: python -m {module} [-h]")
    assert [*tmp_path.iterdir()] == []


def test_a_start_loads_nothing_of_other_commands(tmp_path: Path) -> None:
    """And no time is spent on looking through what it builds."""
    ended = subprocess.run(  # noqa: S603 our own program
        [sys.executable, "-W", "ignore", "-c", LOADED],
        cwd=tmp_path,
        env=NOTHING,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.split() == ["2", str(BUILDING)], ended.stderr
