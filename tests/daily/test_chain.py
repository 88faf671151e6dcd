"""The chain of secrets, and the dates that it is for."""

from hashlib import sha256
from itertools import pairwise

import pytest

from bot.daily.chain import AHEAD, LINKS, Chain, chain_of, lacking, seed
from bot.daily.dates import DayNumber, begins, day_at, iso, newest_over, parse, publishes, told_at
from tests.daily.played import DAY

CHAIN = Chain(DAY, bytes(range(32)), 5)
HOUR = 3600


def test_each_secret_proves_the_next_one() -> None:
    links = [CHAIN.first_link, *(CHAIN.secret(DayNumber(DAY + i)) for i in range(5))]
    assert links[-1] == CHAIN.final
    assert all(sha256(after).digest() == one for one, after in pairwise(links))


def test_a_chain_tells_nothing_but_its_first_link() -> None:
    for said in (str(CHAIN), repr(CHAIN)):
        assert CHAIN.final.hex() not in said
        assert repr(CHAIN.final)[2:-1] not in said
    assert CHAIN.first_link.hex() in str(CHAIN)


def test_the_next_chain_is_drawn_before_the_last_one_ends() -> None:
    assert lacking((), DAY) == DAY
    whole = Chain(DAY, bytes(32))
    assert whole.last == DAY + LINKS - 1
    assert lacking((whole,), DayNumber(whole.last - AHEAD)) is None
    assert lacking((whole,), DayNumber(whole.last - AHEAD + 1)) == whole.last + 1
    assert lacking((whole,), DayNumber(whole.last + 90)) == whole.last + 90, "it was away so long"
    after = Chain(DayNumber(whole.last + 1), bytes(32))
    assert chain_of((whole, after), whole.last) is whole
    assert chain_of((whole, after), after.first) is after
    assert chain_of((whole,), DayNumber(DAY - 1)) is None


def test_a_seed_is_of_its_date() -> None:
    assert seed(bytes(32), DAY) != seed(bytes(32), DayNumber(DAY + 1))


def test_dates_are_those_of_utc() -> None:
    assert iso(DAY) == "2026-11-30"
    assert parse("2026-11-30") == DAY
    assert day_at(begins(DAY) - 0.001) == DAY - 1
    assert day_at(begins(DAY)) == DAY
    assert publishes(DAY) == begins(DAY) + 48 * HOUR
    assert newest_over(publishes(DAY) - 0.001) == DAY - 1
    assert newest_over(publishes(DAY)) == DAY


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati"])
@pytest.mark.parametrize("hour", [0, 1, 2, 12, 23])
def test_each_date_is_told_once_within_a_day_of_its_end(zone: str, hour: int) -> None:
    """The year has both changes of the clocks."""
    first = parse("2026-01-01")
    for day in range(first, first + 366):
        ends = begins(DayNumber(day + 1)) * 1000
        assert ends <= told_at(DayNumber(day), zone, hour) <= ends + 25 * HOUR * 1000
