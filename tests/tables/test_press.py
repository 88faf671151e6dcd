"""A press counts once, and only while its player can still be answered."""

import pytest

from bot.games.values import Refused
from bot.ids import UserId
from bot.tables.presses.discord_time import DRIFT
from bot.tables.presses.press import Press, Stale
from bot.tables.presses.replay_guard import ReplayGuard

UNIX = 1_800_000_000.0
REMEMBERED = 15 * 60
SKEW_WINDOW = 5 * 60
SEEN, TOO_OLD = Refused(Stale.SEEN), Refused(Stale.TOO_OLD)


class Presses:
    """Presses that reach one bot. `wrong` is how many seconds Discord's clock is behind ours."""

    def __init__(self, wrong: float = 0.0) -> None:
        self.fresh = ReplayGuard()
        self.wrong = wrong
        self._next = 1

    def arrives(self, at: float, *, age: float = 0.1, again: int | None = None) -> Refused | None:
        number, self._next = again or self._next, self._next + 1
        press = Press(
            interaction=number,
            user=UserId(1001),
            name="Anna",
            created=UNIX + at - age - self.wrong,
            arrived=at,
        )
        return self.fresh.check(press)


def test_a_second_delivery_is_refused() -> None:
    presses = Presses()
    assert presses.arrives(0, again=42) is None
    assert presses.arrives(1, again=42) == SEEN
    assert presses.arrives(2, again=42) == SEEN
    assert presses.arrives(2, again=43) is None


@pytest.mark.parametrize("after", range(0, REMEMBERED, 60))
def test_a_press_is_remembered_for_fifteen_minutes(after: int) -> None:
    """However long others have been remembered when it arrives."""
    presses = Presses()
    assert presses.arrives(0) is None
    assert presses.arrives(after, again=1_000_000) is None
    for second in range(after, after + REMEMBERED, 10):
        assert presses.arrives(second) is None
    assert presses.arrives(after + REMEMBERED, again=1_000_000) == SEEN


def test_a_press_is_forgotten_when_it_is_old() -> None:
    presses = Presses()
    for second in (0, REMEMBERED + 1, 2 * REMEMBERED + 2):
        assert presses.arrives(second) is None
    assert presses.fresh.remembered == 2


def test_no_more_presses_are_kept_than_half_an_hour_brings() -> None:
    presses = Presses()
    for second in range(3 * REMEMBERED):
        assert presses.arrives(float(second)) is None
        assert presses.fresh.remembered <= 2 * REMEMBERED + 2


@pytest.mark.parametrize("wrong", [-3600.0, -10.0, 0.0, 10.0, 3600.0])
def test_a_machine_whose_clock_is_wrong_refuses_nobody(wrong: float) -> None:
    presses = Presses(wrong)
    ages = (0.05, 0.4, 2.4, 0.1, 1.0)
    assert [presses.arrives(float(i), age=age) for i, age in enumerate(ages)] == [None] * 5


@pytest.mark.parametrize("wrong", [-10.0, 0.0, 10.0])
def test_a_press_that_was_replayed_late_is_refused(wrong: float) -> None:
    presses = Presses(wrong)
    assert presses.arrives(0, age=0.0) is None
    assert presses.arrives(1, age=2.4) is None
    assert presses.arrives(2, age=2.6) == TOO_OLD
    assert presses.arrives(3, age=0.0) is None


def test_a_press_that_was_too_old_counts_as_seen() -> None:
    presses = Presses()
    assert presses.arrives(0) is None
    assert presses.arrives(1, age=60, again=42) == TOO_OLD
    assert presses.arrives(2, age=0.1, again=42) == SEEN


@pytest.mark.parametrize("quiet", [SKEW_WINDOW - 1, SKEW_WINDOW + 1, 601, 3600, 8 * 3600])
@pytest.mark.parametrize("wrong", [-3600.0, 0.0, 3600.0])
def test_presses_of_a_gap_are_refused_however_quiet_it_was(quiet: float, wrong: float) -> None:
    """Nobody pressed for a while; then all that was pressed in a gap of 40 s is replayed."""
    presses = Presses(wrong)
    assert presses.arrives(0) is None
    replayed = [presses.arrives(quiet + i / 100, age=40 - i) for i in range(30)]
    assert replayed == [TOO_OLD] * 30
    assert presses.arrives(quiet + 1) is None


def test_replayed_presses_never_outlive_a_fresh_one() -> None:
    """Those of a gap come on both sides of the moment in which a window ends."""
    presses = Presses()
    assert presses.arrives(0) is None
    assert presses.arrives(SKEW_WINDOW - 0.1, age=40) == TOO_OLD
    assert presses.arrives(SKEW_WINDOW + 0.1, age=40) == TOO_OLD


@pytest.mark.parametrize("drift", [-DRIFT, DRIFT])
def test_clocks_that_drift_apart_in_a_long_quiet_refuse_nobody(drift: float) -> None:
    presses = Presses()
    for hours in (0, 1, 9, 33):
        presses.wrong = hours * 3600 * drift
        assert presses.arrives(hours * 3600) is None
        assert presses.arrives(hours * 3600 + 1, age=2.4) is None


@pytest.mark.parametrize("before", [1, SKEW_WINDOW, 3600])
@pytest.mark.parametrize("every", [1, 100, 200, 700])
def test_a_clock_that_was_changed_is_believed_after_two_windows(before: int, every: int) -> None:
    """Discord's clock is set back by a minute for good, and somebody presses now and then. Where
    they press less than once a window, it is the second press.
    """
    presses = Presses()
    for second in range(0, before, every):
        assert presses.arrives(second) is None
    presses.wrong = 60.0
    times = range(before, before + 3600, every)
    outcomes = [presses.arrives(second) for second in times]
    assert outcomes[0] == TOO_OLD
    late = [t for t, outcome in zip(times, outcomes, strict=True) if outcome is not None]
    assert max(late) - before <= 2 * max(SKEW_WINDOW, every)
    assert presses.arrives(times[-1] + 1, age=3.0) == TOO_OLD, "what is old is told again"


def test_a_clock_that_is_set_back_is_believed_at_once() -> None:
    presses = Presses(wrong=30.0)
    assert presses.arrives(0) is None
    presses.wrong = 0.0
    assert presses.arrives(1) is None
    assert presses.arrives(2, age=3.0) == TOO_OLD
