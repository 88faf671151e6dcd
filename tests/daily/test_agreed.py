"""Groups that each had a chain agree on one for the days to come."""

from bot.daily.chain import Chain, agreed, chain_of, shown
from bot.daily.dates import DayNumber
from tests.daily.played import DAY

OURS = Chain(DayNumber(DAY - 3), bytes(32), 20)
THEIRS = Chain(DayNumber(DAY - 9), bytes(range(32)), 30)


def day(after: int) -> DayNumber:
    return DayNumber(DAY + after)


def secret(chains: tuple[Chain, ...], after: int) -> bytes:
    found = chain_of(chains, day(after))
    assert found is not None
    return found.secret(day(after))


def test_each_day_keeps_the_chain_that_it_was_played_with() -> None:
    both = agreed((OURS,), (THEIRS,), DAY)
    for past in (-3, -1, 0):
        assert secret(both, past) == OURS.secret(day(past))
    for later in (1, 10):
        assert secret(both, later) == THEIRS.secret(day(later))


def test_what_is_shown_of_it_is_no_secret_of_today() -> None:
    """The first link stays the one that everybody in the other groups can see."""
    both = agreed((OURS,), (THEIRS,), DAY)
    assert [one.first_link for one in shown(both, DAY)] == [OURS.first_link, THEIRS.first_link]
    assert shown(both, day(1)) == (both[1],)


def test_agreeing_again_changes_nothing() -> None:
    both = agreed((OURS,), (THEIRS,), DAY)
    for later in (0, 1, 5):
        assert set(agreed(both, (THEIRS,), day(later))) == set(both)
    assert agreed((OURS,), (OURS,), DAY) == (OURS,)


def test_a_file_without_a_chain_deals_from_the_bots_at_once() -> None:
    (chain,) = agreed((), (THEIRS,), DAY)
    assert chain.covers(DAY)
    assert chain.secret(DAY) == THEIRS.secret(DAY)


def test_a_chain_that_has_only_begun_tomorrow_is_dropped() -> None:
    later = Chain(day(1), bytes(32), 20)
    assert [one.final for one in agreed((later,), (THEIRS,), DAY)] == [THEIRS.final]
