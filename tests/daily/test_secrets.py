"""The running bot's secrets: drawn once, published in their time and never taken back."""

import logging
import sqlite3
from types import SimpleNamespace
from typing import Any

import pytest

from bot.daily.chain import Chain
from bot.daily.dates import DayNumber, begins, publishes
from bot.ui.daily.secrets import DailySecrets
from tests.daily.played import DAY


class Kept:
    """A store in memory. While it is `full`, it takes nothing."""

    def __init__(self) -> None:
        self.there: list[Chain] = []
        self.day: DayNumber | None = None
        self.full = False

    async def chains(self) -> tuple[Chain, ...]:
        return tuple(self.there)

    async def add(self, chain: Chain) -> None:
        self._taken()
        self.there.append(chain)

    async def published(self) -> DayNumber | None:
        return self.day

    async def publish(self, day: DayNumber) -> None:
        self._taken()
        self.day = day

    def _taken(self) -> None:
        if self.full:
            raise sqlite3.OperationalError("database or disk is full")


@pytest.fixture
def time() -> SimpleNamespace:
    one = SimpleNamespace(at=float(begins(DAY)))
    one.now = lambda: one.at
    return one


def secrets_of(store: Kept, time: Any) -> DailySecrets:
    return DailySecrets(
        store,  # type: ignore[arg-type]
        time,
        lambda: bytes(range(32)),
        lambda error: isinstance(error, sqlite3.OperationalError),
    )


async def test_a_chain_is_drawn_once(time: SimpleNamespace) -> None:
    store = Kept()
    for _ in range(3):
        await secrets_of(store, time).begin()
    (chain,) = store.there
    assert chain.first == DAY
    found = secrets_of(store, time)
    await found.begin()
    assert found.secret(DAY) == chain.secret(DAY)
    assert found.secret(DayNumber(DAY - 1)) is None


async def test_what_is_published_stays_so(time: SimpleNamespace) -> None:
    store = Kept()
    one = secrets_of(store, time)
    await one.begin()
    time.at = publishes(DAY) - 1
    await one.tick()
    assert not one.is_published(DAY)
    time.at += 1
    assert one.is_published(DAY), "before any tick"
    await one.tick()
    time.at = begins(DAY)
    again = secrets_of(store, time)
    await again.begin()
    for known in (one, again):
        await known.tick()
        assert known.is_published(DAY), "the clock was set back"
        assert known.published == DAY


async def test_a_full_disk_is_one_line_and_tried_again(
    time: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    store = Kept()
    store.full = True
    one = secrets_of(store, time)
    await one.begin()
    (line,) = caplog.records
    assert (line.levelno, line.exc_info) == (logging.WARNING, None)
    assert one.secret(DAY) is None
    store.full = False
    await one.tick()
    assert one.secret(DAY) is not None
