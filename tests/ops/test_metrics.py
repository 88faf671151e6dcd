"""Figures for Prometheus: asked for over a socket while a match is played."""

import asyncio
import json
import re
import socket
from importlib.metadata import version
from pathlib import Path

import aiohttp
import pytest

from bot.clock import SystemClock
from bot.fakediscord import Server
from bot.ops.daily_backups import DailyBackups
from bot.ops.health.metrics import COUNTERS, GAUGES, GROUP_COUNTERS, GROUP_GAUGES, served
from bot.ops.machine_figures import MachineFigures
from bot.settings.settings_file import ConfigError
from tests.forks import ROOT
from tests.loopback.bots import bot_process
from tests.loopback.players import all_ready, seated


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def scraped(port: int) -> dict[str, float]:
    """What Prometheus would read: each name with its value."""
    async with (
        aiohttp.ClientSession() as http,
        http.get(f"http://127.0.0.1:{port}/metrics") as answer,
    ):
        lines = (await answer.text()).splitlines()
    return {
        name: float(value)
        for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    }


async def test_play_is_counted(tmp_path: Path) -> None:
    port = free_port()
    async with (
        Server() as server,
        bot_process(server, tmp_path / "night.db", METRICS_PORT=str(port)),
    ):
        assert (await scraped(port))["ligretto_tables"] == 0
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        before = await scraped(port)
        limit, pressed = server.fault("PATCH .*/channels/", retry_after=0.05, times=1), 0
        while pressed < 6 or not limit.hits:
            pressed += await players[pressed % 2].act() is not None
        await asyncio.sleep(0.5)
        after = await scraped(port)
    assert before["ligretto_tables"] == after["ligretto_tables"] == 1
    gone = {name: after[name] - before[name] for name in before}
    assert gone["ligretto_presses_total"] == pressed
    assert gone["ligretto_press_seconds_total"] > 0
    assert gone["ligretto_commits_total"] > 0
    assert gone["ligretto_commit_seconds_total"] > 0
    assert gone["ligretto_edits_total"] > 0
    assert gone["ligretto_rate_limits_total"] == 1
    assert after["ligretto_presses_in_work"] == after["ligretto_presses_dropped_total"] == 0
    assert after["process_resident_memory_bytes"] > 2**24
    alerted(after)
    assert not [name for name in after if "valkey" in name or "group" in name], "it is alone"


def alerted(figures: dict[str, float]) -> None:
    """An owner is alerted by these."""
    assert figures["ligretto_connected"] == 1
    assert 0 <= figures["ligretto_backup_age_seconds"] < 600, "one is made at the start"
    assert figures["ligretto_disk_free_bytes"] > 0
    (build,) = (name for name in figures if name.startswith("ligretto_build_info"))
    assert f'version="{version("ligretto-bot")}"' in build


def test_what_nobody_knows_is_left_out(tmp_path: Path) -> None:
    """No backup was made, and the disk is gone."""
    database = tmp_path / "gone" / "night.db"
    backups = DailyBackups(database, tmp_path / "kept", 7, SystemClock())
    figures = MachineFigures(lambda: {"edits": 1.0}, backups, database, SystemClock())
    assert figures() == {"edits": 1.0}


def test_the_dashboard_shows_every_figure() -> None:
    """It shows all that are served, and none that isn't there."""
    board = json.loads((ROOT / "deploy" / "grafana.json").read_text())
    assert set(re.findall(r"ligretto_\w+", json.dumps(board))) == {
        *(f"ligretto_{name}" for name in GAUGES | GROUP_GAUGES),
        *(f"ligretto_{name}_total" for name in COUNTERS | GROUP_COUNTERS),
        "ligretto_build_info",
        "ligretto_group_info",
    }


async def test_nobody_else_on_the_network_is_answered(tmp_path: Path) -> None:
    port = free_port()
    with served(port, "127.0.0.1", dict):
        for address in {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), port)}:
            if not str(address).startswith("127."):
                with pytest.raises(OSError), socket.create_connection((str(address), port), 2):  # noqa: PT011 refused, or no way there
                    pass
        socket.create_connection(("127.0.0.1", port), 2).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 2)


def test_a_port_that_is_taken_is_told_in_words() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with (
            pytest.raises(ConfigError, match="Address already in use"),
            served(other.getsockname()[1], "127.0.0.1", dict),
        ):
            pass


def test_without_a_port_nothing_is_opened() -> None:
    with served(None, "127.0.0.1", dict):
        pass
