"""A press counts once, and only while its player can still be answered."""

import pytest

from bot.games.kernel import Refused
from bot.tables.press import Freshness, Press, Stale

UNIX = 1_800_000_000.0
REMEMBERED = 15 * 60
SKEW_WINDOW = 10 * 60
SEEN, TOO_OLD = Refused(Stale.SEEN), Refused(Stale.TOO_OLD)


class Presses:
    """Presses that reach one bot. `wrong` is how many seconds Discord's clock is behind ours."""

    def __init__(self, wrong: float = 0.0) -> None:
        self.fresh = Freshness()
        self.wrong = wrong
        self._next = 1

    def arrives(self, at: float, *, age: float = 0.1, again: int | None = None) -> Refused | None:
        number, self._next = again or self._next, self._next + 1
        press = Press(
            interaction=number,
            user=1001,
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
    assert len(presses.fresh._skews) <= SKEW_WINDOW + 1


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


@pytest.mark.parametrize(
    ("later", "outcome"), [(SKEW_WINDOW, TOO_OLD), (SKEW_WINDOW + 1, None)], ids=["within", "after"]
)
def test_the_clock_is_judged_by_the_last_ten_minutes(later: float, outcome: Refused | None) -> None:
    """Should Discord's clock be set back by five seconds, everything is taken again at last."""
    presses = Presses()
    assert presses.arrives(0) is None
    presses.wrong = 5.0
    assert presses.arrives(later) == outcome


def test_the_window_slides_over_presses_one_by_one() -> None:
    presses = Presses()
    assert presses.arrives(0, age=0.0) is None
    assert presses.arrives(300, age=1.0) is None
    # The first has left the window: 1.0 is the least now, so that 3.4 is no more than 2.4 old.
    assert presses.arrives(SKEW_WINDOW + 10, age=3.4) is None
    assert presses.arrives(SKEW_WINDOW + 11, age=3.6) == TOO_OLD


def test_a_clock_that_is_set_back_is_believed_at_once() -> None:
    presses = Presses(wrong=30.0)
    assert presses.arrives(0) is None
    presses.wrong = 0.0
    assert presses.arrives(1) is None
    assert presses.arrives(2, age=3.0) == TOO_OLD
