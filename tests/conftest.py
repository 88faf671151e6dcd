"""Tests run in simulated time; those that have to wait for something real say so."""

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, settings

from bot.ops.log.setup import TEXT, TextFormatter
from tests import nightly, pictures, schemas, scratch, slow, translations
from tests.forks import forkservers
from tests.garbage import collect_rarely
from tests.real import REAL, ROOT
from tests.simulate.loop import VirtualLoop

settings.register_profile(
    "same",
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # it goes by the machine's speed
)
settings.load_profile("same")
"""The same examples every time; `--hypothesis-profile=default` looks for others."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="play the cases of tests/nightly.py")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """What pytest keeps of the log is written as the bot writes it: no traceback without end."""
    collect_rarely()
    os.environ["RELEASES_URL"] = "off"  # no test asks anybody but its own servers
    capture = config.pluginmanager.get_plugin("logging-plugin")
    if capture is not None:
        for name in ("caplog_handler", "report_handler", "log_file_handler"):
            getattr(capture, name).setFormatter(TextFormatter(TEXT))
    pictures.keep()
    translations.keep()
    schemas.keep()
    scratch.keep_in_memory()
    if not hasattr(config, "workerinput"):  # a worker's processes come from the same
        servers = ExitStack()
        servers.enter_context(forkservers())
        config.add_cleanup(servers.close)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is nightly, mark what is slow, and let the longest start first."""
    if not config.getoption("nightly") and not any("::" in one for one in config.args):
        out = nightly.left_out(items)
        items[:] = [item for item in items if item.nodeid not in out]
    for item in items:
        if slow.seconds(item.nodeid):
            item.add_marker("slow")
    items[:] = slow.in_order(items, lambda item: item.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Full collections would look through all that was imported and collected since the start."""
    collect_rarely()


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
