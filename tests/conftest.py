"""Tests run in simulated time; those that have to wait for something real say so."""

import asyncio
from collections.abc import Callable, Mapping

import pytest

from tests.simulate.loop import VirtualLoop


def pytest_asyncio_loop_factories(
    config: pytest.Config,
    item: pytest.Item,
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """A loop whose clock jumps, unless a test is marked `real`."""
    if item.get_closest_marker("real") is not None:
        return {"real": asyncio.new_event_loop}
    return {"virtual": VirtualLoop}
