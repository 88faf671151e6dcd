"""`setup`: from a token to a bot in its first server."""

import asyncio
import os
import signal
import stat
import sys
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.fakediscord import Server
from bot.ops.setup.settings_writer import merged, write
from bot.settings.config import Config, read
from bot.settings.settings_file import written
from bot.settings.token import token_of
from tests import forks
from tests.children import PIPE, Process
from tests.forks import ROOT
from tests.loopback.bots import bot_process
from tests.ops.test_process import Ended, files

GOOD = "MTIz.fake.token"
ID = "123456789012345678"
BEGIN = b64encode(ID.encode()).decode().rstrip("=")
WHOLE = f"{BEGIN}.GaBcDe.{'x' * 38}"


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A Discord that knows one token, and whose bot is in no server."""
    async with Server(guilds=0) as server:
        server.settings.token = GOOD
        yield server


def around(server: Server, **env: str) -> dict[str, str]:
    """An environment that says where Discord is, and nothing of the bot's settings."""
    return {
        "PATH": os.environ["PATH"],
        "FAKE_DISCORD": server.url,
        "PYTHONPATH": f"{server.env['PYTHONPATH']}{os.pathsep}{ROOT}",
        **env,
    }


async def typed(server: Server, folder: Path, *words: str, stdin: str = "", **env: str) -> Ended:
    """`python -m bot setup <words>` in an installation whose home is this folder."""
    ended = await asyncio.to_thread(
        forks.ran,
        *("-m", "bot", "setup", *words),
        cwd=folder,
        env=around(server, **env),
        stdin=stdin,
    )
    assert "Traceback" not in ended.stderr
    assert GOOD not in ended.stdout + ended.stderr
    return Ended(ended.returncode, ended.stdout, ended.stderr)


async def waiting(server: Server, folder: Path) -> tuple[Process, list[str]]:
    """The command while it waits for a server, and what it has said."""
    process = await forks.python(
        *("-m", "bot", "setup"),
        cwd=folder,
        env=around(server, DISCORD_TOKEN=GOOD),
        stdout=PIPE,
        stderr=PIPE,
    )
    said = [""]
    while not said[-1].startswith("Waiting for its first server."):
        assert process.stdout is not None
        said.append((await process.stdout.readline()).decode())
        assert said[-1], "it has ended"
    return process, said


async def test_a_token_is_all_that_is_asked_for(server: Server, tmp_path: Path) -> None:
    """A file that only its owner reads has it then, with absolute paths."""
    ended = await typed(server, tmp_path, "--no-wait", stdin=f'"Bot {GOOD}"\n')
    assert (ended.code, ended.problem) == (0, "")
    lines = ended.said.splitlines()
    assert lines[1] == f"token: works: {server.bot.name}, owned by {server.owner.name}"
    file = tmp_path / ".env"
    assert lines[2] == f"settings: wrote DISCORD_TOKEN, DATABASE_PATH, BACKUP_PATH to {file}"
    assert any(line.startswith("ok    invite: https://") for line in lines), "checked"
    assert lines[-1] == f"Start the bot: {sys.executable} -m bot"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    data = tmp_path / "data"
    assert written(file) == {
        "DISCORD_TOKEN": GOOD,
        "DATABASE_PATH": str(data / "ligretto.sqlite3"),
        "BACKUP_PATH": str(data / "backups"),
    }
    assert files(tmp_path) == [file]


async def test_typed_again_it_asks_nothing_and_changes_nothing(
    server: Server, tmp_path: Path
) -> None:
    _ = await typed(server, tmp_path, "--no-wait", stdin=GOOD)
    before = (tmp_path / ".env").stat()
    _ = server.add_guild("Friday")
    (tmp_path / "data").mkdir()
    async with bot_process(server, tmp_path / "data" / "ligretto.sqlite3", DISCORD_TOKEN=GOOD):
        ended = await typed(server, tmp_path)
    assert ended.code == 0, ended
    lines = ended.said.splitlines()
    assert lines[0].startswith(f"token: set, works: {server.bot.name}")
    assert lines[1] == f"settings: {tmp_path / '.env'} has all it needs"
    assert lines[-2:] == ["The bot is running.", "In Friday: type /ligretto"]
    after = (tmp_path / ".env").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


async def test_the_wait_ends_when_the_bot_is_in_a_server(server: Server, tmp_path: Path) -> None:
    process, said = await waiting(server, tmp_path)
    assert said[-2].startswith("Invite the bot: https://discord.com/oauth2/authorize?client_id=")
    _ = server.fault("GET .*/users/@me/guilds", status=403, times=1)
    _ = server.add_guild("Friday")
    done, problem = await process.communicate()
    assert (process.returncode, done, problem) == (0, b"In Friday: type /ligretto\n", b"")


async def test_ctrl_c_ends_the_wait_politely(server: Server, tmp_path: Path) -> None:
    process, _ = await waiting(server, tmp_path)
    process.send_signal(signal.SIGINT)
    said, problem = await process.communicate()
    assert (process.returncode, problem) == (0, b"")
    assert said.startswith(b"Stopped waiting.")


async def test_three_wrong_tokens_change_nothing(server: Server, tmp_path: Path) -> None:
    """Each is named for what it is, and never shown."""
    wrong = (ID, "a.wrong.token", "secret")
    ended = await typed(server, tmp_path, stdin="\n".join((*wrong, GOOD)))
    assert ended.code == 2
    _, *said = ended.said.splitlines()
    assert [line.partition(";")[0] for line in said] == [
        "token: this is an application's id",
        "token: Discord rejects this token",
        "token: a token has three parts of letters, digits, - and _, separated by dots",
    ]
    assert ended.problem == "no token after 3 tries; nothing was changed\n"
    assert not any(one in ended.said for one in wrong)
    assert files(tmp_path) == []


async def test_the_third_token_may_be_right(server: Server, tmp_path: Path) -> None:
    ended = await typed(server, tmp_path, "--no-wait", stdin=f"\nx\n{GOOD}\n")
    assert ended.code == 0, ended


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
async def test_a_terminal_does_not_show_the_token(server: Server, tmp_path: Path) -> None:
    """Here a person types."""
    terminal, theirs = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-m", "bot", "setup", "--no-wait"),
        cwd=ROOT,
        env=around(server, LIGRETTO_HOME=str(tmp_path)),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while not shown.endswith(b"Token: "):
        shown += await asyncio.to_thread(os.read, terminal, 1000)
    os.write(terminal, f"{GOOD}\n".encode())
    while b"Start the bot" not in shown:
        shown += await asyncio.to_thread(os.read, terminal, 1000)
    assert await process.wait() == 0
    os.close(terminal)
    assert GOOD.encode() not in shown
    assert b"token: works" in shown


async def test_without_anybody_to_ask_a_line_says_so(server: Server, tmp_path: Path) -> None:
    ended = await typed(server, tmp_path)
    assert ended.code == 2
    assert ended.problem == "no token given: type it here, pipe it in or set DISCORD_TOKEN\n"


async def test_without_a_network_it_can_be_tried_again(server: Server, tmp_path: Path) -> None:
    await server.stop()
    ended = await typed(server, tmp_path, stdin=GOOD)
    await server.start()
    assert ended.code == 75
    assert "Discord cannot be reached" in ended.problem
    assert files(tmp_path) == []


async def test_a_wrong_token_in_the_environment_is_refused(server: Server, tmp_path: Path) -> None:
    """It would hide the right one in the file."""
    _ = server.add_guild("Friday")
    ended = await typed(server, tmp_path, stdin=GOOD, DISCORD_TOKEN="a.wrong.token")
    assert ended.code == 2
    assert ended.problem.startswith("DISCORD_TOKEN in the environment: Discord rejects")
    assert files(tmp_path) == []


async def test_what_is_wrong_in_a_written_file_is_mended(server: Server, tmp_path: Path) -> None:
    """Comments and other lines stay; a path that was relative means the same."""
    file = tmp_path / ".env"
    example = (ROOT / ".env.example").read_text().replace("TOKEN=\n", "TOKEN=a.old.one  # mine\n")
    file.write_text(example + "OTHER='x # y'")
    file.chmod(0o644)
    ended = await typed(server, tmp_path, "--no-wait", stdin=GOOD)
    assert ended.code == 0, ended
    assert ended.said.startswith("token: set, but wrong: Discord rejects this token")
    data = tmp_path / "data"
    assert (
        file.read_text()
        == example.replace(
            "DISCORD_TOKEN=a.old.one  # mine", f"# mine\nDISCORD_TOKEN={GOOD}"
        ).replace("PATH=data/", f"PATH={data}/")
        + "OTHER='x # y'"
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "everybody could read it"


async def test_what_a_check_finds_is_to_be_fixed_first(server: Server, tmp_path: Path) -> None:
    server.settings.code_grant = True
    _ = server.add_guild("Friday")
    ended = await typed(server, tmp_path, stdin=GOOD)
    assert ended.code == 2
    assert "FIX   application: nobody can invite the bot" in ended.said
    assert ended.said.endswith("Fix the lines marked FIX, then run this again.\n")


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        ("", "this is empty"),
        ("\u200b \n", "this is empty"),
        (ID, "an application's id"),
        ("0" * 60 + "beef", "public key"),
        ("aB3-_" * 6 + "xy", "client secret"),
        (BEGIN, "only part of a token"),
        (WHOLE[:40], "only part of a token"),
        (WHOLE[:60], None),
        ("sesame", "three parts"),
        (WHOLE, None),
        (f" 'Bot {WHOLE}' ", None),
        (f'DISCORD_TOKEN="{WHOLE}"', None),
        (f"\u201c\ufeff{WHOLE[:30]}\u200b{WHOLE[30:]}\u201d", None),
    ],
)
def test_what_is_pasted_is_named(pasted: str, said: str | None) -> None:
    if said is None:
        assert token_of(pasted) == (WHOLE[:60] if pasted == WHOLE[:60] else WHOLE)
        return
    with pytest.raises(ValueError, match=said) as refused:
        _ = token_of(pasted)
    assert not pasted.strip() or pasted not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "A=new\n"),
        ("B=1", "B=1\nA=new\n"),
        ("B=1\r\nA=old\r\n# last", "B=1\r\nA=new\r\n# last"),
        ("\n\nexport A = 'old'\nB=2\n", "\n\nexport A=new\nB=2\n"),
        ("A=old\nA=older\n", "A=new\nA=new\n"),
        ('B="x\nA=old\n"\n', 'B="x\nA=old\n"\nA=new\n'),
        ("a=old # why\n", "# why\na=new\n"),
        ('A="new" # why\n', 'A="new" # why\n'),
        ("#A=old\n", "#A=old\nA=new\n"),
    ],
)
def test_only_own_settings_are_replaced(text: str, after: str) -> None:
    assert merged(text, {"A": "new"})[0] == after


@pytest.mark.parametrize("value", ["/a b/c#d", "/it's", r"C:\new\table", "/\u00e4/\u65e5"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_any_path_is_read_back_as_it_was_written(
    value: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.env"
    file.write_bytes("# für Anna\n".encode(encoding))
    assert write(file, {"DATABASE_PATH": value}) == ("DATABASE_PATH",)
    assert written(file) == {"DATABASE_PATH": value}
    assert write(file, {"DATABASE_PATH": value}) == ()
    assert files(tmp_path) == [file]
    monkeypatch.setenv("LIGRETTO_HOME", str(tmp_path))
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={WHOLE}\n")
    assert read(Config).discord_token.get_secret_value() == WHOLE


def test_a_complete_file_that_everybody_may_read_is_closed(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\n")
    file.chmod(0o644)
    assert write(file, {"A": "1"}) == ()
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("A=1\n", 0o600)


def test_a_written_file_keeps_a_deliberate_mode_and_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "real", tmp_path / "link"
    file.touch()
    file.chmod(0o640)
    link.symlink_to(file)
    _ = write(link, {"A": "1"})
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert link.is_symlink()
