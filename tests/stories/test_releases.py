"""News of releases: which version is newer, how it is asked for, and how to upgrade."""

import asyncio
import logging
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.ops.check.releases import releases
from bot.ops.releases import upgrade
from bot.ops.releases.ask import DAY, Releases
from bot.ops.releases.versions import is_newer
from bot.settings import home
from bot.settings.config import Config
from bot.settings.releases_url import releases_of
from tests.loopback.bots import clock_here
from tests.stories import feeds
from tests.stories.feeds import Answer, sent, told

NEWEST = {"tag_name": "v9.1", "name": "Nine", "draft": False, "prerelease": False}


@pytest.mark.parametrize(
    ("release", "own", "expected"),
    [
        ("0.1.1", "0.1.0", True),
        ("0.10", "0.9.9", True),
        ("1", "1.0.0", False),
        ("0.1.0", "0.1.0", False),
        ("0.0.9", "0.1.0", False),
        ("0.2.0", "0.2.0rc1", True),
        ("0.2.0", "0.2.1.dev3", False),
    ],
)
def test_versions_are_compared_by_number(release: str, own: str, *, expected: bool) -> None:
    assert is_newer(release, own) is expected


@pytest.mark.parametrize(
    ("project", "url"),
    [
        ("https://github.com/anna/bot", "https://api.github.com/repos/anna/bot/releases/latest"),
        ("https://github.com/a/b.git", "https://api.github.com/repos/a/b/releases/latest"),
        ("", ""),
        ("https://example.com/a/b", ""),
        ("https://github.com/a/b/c", ""),
    ],
)
def test_projects_address_decides_where_to_ask(project: str, url: str) -> None:
    assert releases_of(project) == url


def config(**settings: Any) -> Config:
    return Config(_env_file=None, discord_token="a.b.c", **settings)


def test_setting_names_an_address_or_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert config(releases_url="off").releases_url == ""
    assert config(releases_url="https://x.example/y").releases_url == "https://x.example/y"
    with pytest.raises(ValidationError, match="or off"):
        config(releases_url="ftp://x.example")
    monkeypatch.delenv("RELEASES_URL", raising=False)
    monkeypatch.setattr("bot.settings.releases_url.address", lambda: "https://github.com/a/b")
    assert config().releases_url == "https://api.github.com/repos/a/b/releases/latest"
    monkeypatch.setattr("bot.settings.releases_url.address", str)
    assert config().releases_url == ""


async def test_newer_release_is_one_line_and_one_plain_request(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "bot.ops.releases")
    async with feeds.feed() as feed:
        feed.answer = told(NEWEST)
        asking = Releases(feed.url, clock_here(), own="0.1.0")
        task = asyncio.get_running_loop().create_task(asking.run())
        await asyncio.sleep(3.5 * DAY)
        assert asking.news() == ("9.1", upgrade.command())
        assert caplog.messages == [f"release {upgrade.advice('9.1', '0.1.0')}"]
        feed.answer = told([{"tag_name": "9.3", "prerelease": True}, {"tag_name": "9.2"}, NEWEST])
        await asyncio.sleep(DAY)
        assert [line.split()[1] for line in caplog.messages] == ["9.1", "9.2"]
        task.cancel()
    assert len(feed.requests) == 5
    for method, path, headers in feed.requests:
        assert (method, path) == ("GET", "/releases/latest")
        assert headers.keys() <= {"Host", "User-Agent", "Accept", "Accept-Encoding"}
        assert headers["User-Agent"] == "ligretto-bot"


BAD: dict[str, Answer] = {
    "silence": feeds.silence,
    "drip": feeds.drip,
    "without end": feeds.without_end,
    "in circles": feeds.in_circles,
    "hung up": feeds.hung_up,
    "404": sent(b'{"message": "Not Found"}', status=404),
    "500": sent(b"", status=500),
    "HTML": sent(b"<html>"),
    "nothing": sent(b""),
    "deep": sent(b"[" * 200_000),
    "not UTF-8": sent(b"\xff\xfe\xfa"),
    "wrong length": sent(b"x", {"Content-Encoding": "gzip"}),
    "a number": told(7),
    "no tag": told({"name": "9.9"}),
    "a tag of another kind": told({"tag_name": ["9.9"]}),
    "a tag with words": told({"tag_name": "9.9; rm -rf /"}),
    "a tag without end": told({"tag_name": "9" * 400}),
    "a draft": told({"tag_name": "9.9", "draft": True}),
    "a pre-release": told({"tag_name": "9.9", "prerelease": True}),
    "a pre-release by name": told({"tag_name": "9.9rc1"}),
}


async def test_bad_answers_are_one_line_each_time_it_begins(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Days of them, and the first good answer counts."""
    caplog.set_level(logging.INFO, "bot.ops.releases")
    async with feeds.feed() as feed:
        asking = Releases(feed.url, clock_here(), own="0.1.0")
        task = asyncio.get_running_loop().create_task(asking.run())
        await asyncio.sleep(DAY / 2)
        lines = {}
        for name, bad in BAD.items():
            caplog.clear()
            feed.answer = bad
            await asyncio.sleep(2 * DAY)
            (line,) = caplog.messages
            lines[name] = line
            assert "gave no answer: " in line, name
            if name == "in circles":
                assert line.endswith(": it redirects too often")
            assert "\n" not in line, name
            assert asking.news() is None, name
            feed.answer = told({"tag_name": "v0.1.0"})
            await asyncio.sleep(DAY)
        feed.answer = told(NEWEST)
        await asyncio.sleep(DAY)
        assert asking.news() is not None
        task.cancel()
    assert lines["without end"].endswith("the answer has more than 1048576 bytes")
    assert lines["drip"].endswith("no answer in time")


async def test_check_names_the_newest(tmp_path: Path) -> None:
    async with feeds.feed() as feed:
        assert "the newest" in (await releases(feed.url)).said
        feed.answer = told(NEWEST)
        found = await releases(feed.url)
        assert "9.1 is out" in found.said
        assert upgrade.command() in found.said
        feed.answer = feeds.silence
        assert "no answer in time" in (await releases(feed.url)).said
    count = len(feed.requests)
    assert "newest" not in (await releases("")).said
    assert len(feed.requests) == count


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with a wheel in it."""
    place = tmp_path / "ligretto-bot"
    place.mkdir()
    monkeypatch.setattr(sys, "prefix", str(place))
    monkeypatch.setattr(sys, "executable", str(place / "bin" / "python"))
    monkeypatch.setattr(home, "CLONE", tmp_path / "site packages")
    monkeypatch.setattr(upgrade, "CONTAINER", ())
    return place


def test_upgrade_command_is_this_installations(venv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = venv / "bin" / "python"
    assert upgrade.command() == f"{python} -m pip install -U ligretto-bot"
    with monkeypatch.context() as patched:
        patched.setattr(upgrade, "find_spec", lambda _: None)
        assert upgrade.command() == f"uv pip install --python {python} -U ligretto-bot"
    (venv / "uv-receipt.toml").touch()
    assert upgrade.command() == "uv tool upgrade ligretto-bot"
    (venv / "pipx_metadata.json").touch()
    assert upgrade.command() == "pipx upgrade ligretto-bot"
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda *_: False)
        assert upgrade.command() == "sudo pipx upgrade ligretto-bot"
    with monkeypatch.context() as patched:
        patched.setattr(sys, "prefix", "/opt/pipx/venvs/ligretto-bot")
        patched.setattr(Path, "exists", lambda one: one.name == "pipx_metadata.json")
        patched.setattr(os, "access", lambda *_: True)
        assert upgrade.command() == "pipx upgrade --global ligretto-bot"
    inside = venv / "inside"
    inside.touch()
    monkeypatch.setattr(upgrade, "CONTAINER", (inside,))
    assert "docker" not in upgrade.command(), "a wheel in a container of somebody's own"
    monkeypatch.setattr(home, "is_clone", lambda: True)
    assert upgrade.command() == "git pull && docker build -t ligretto ."


def test_upgrade_command_of_a_clone_pulls_and_installs(venv: Path) -> None:
    clone = home.CLONE
    (clone / ".git").mkdir(parents=True)
    (clone / "pyproject.toml").touch()
    install = f"{venv / 'bin' / 'python'} -m pip install -c '{clone}/constraints.txt' -e '{clone}'"
    assert upgrade.command() == f"git -C '{clone}' pull && {install}"
