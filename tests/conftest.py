"""Tests run in simulated time; those that have to wait for something real say so."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bot.ops.logs import TEXT, Text
from tests.real import REAL
from tests.simulate.loop import VirtualLoop

ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """What pytest keeps of the log is written as the bot writes it: no traceback without end."""
    capture = config.pluginmanager.get_plugin("logging-plugin")
    if capture is not None:
        for name in ("caplog_handler", "report_handler", "log_file_handler"):
            getattr(capture, name).setFormatter(Text(TEXT))


def pytest_asyncio_loop_factories(
    config: pytest.Config,
    item: pytest.Item,
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """A loop whose clock jumps, unless a test is marked `real` or stands in `tests.real`."""
    file = item.path.relative_to(ROOT).as_posix()
    listed = any(file == one or file.startswith(f"{one}/") for one in REAL)
    if listed or item.get_closest_marker("real") is not None:
        return {"real": asyncio.new_event_loop}
    return {"virtual": VirtualLoop}
