"""Nothing in the bot or its libraries reads time past a simulation."""

import importlib
import pkgutil
import time
from types import ModuleType

import pytest

import bot
import bot.app
from tests.simulate import patches


def test_every_reading_of_time_is_known() -> None:
    _everything_is_imported(bot)
    assert patches.unforeseen() == []


@pytest.mark.parametrize("reader", ["time", "monotonic", "perf_counter", "sleep"])
def test_a_new_reading_of_time_is_found(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.app, "reads", getattr(time, reader), raising=False)
    assert patches.unforeseen() == ["bot.app.reads"]


def _everything_is_imported(package: ModuleType) -> None:
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
