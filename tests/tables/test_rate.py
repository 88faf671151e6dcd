"""How often one person may do something."""

from bot.games.values import Refused
from bot.ids import UserId
from bot.tables.presses.press import Press, Stale
from bot.tables.presses.rate_limit import PressLimit, Rate

ANNA, BEN = 1, 2


def test_so_many_in_so_many_seconds() -> None:
    rate: Rate[int] = Rate(3, 2.0)
    assert [rate.allows(ANNA, now) for now in (0.0, 0.1, 0.2, 0.3, 1.9)] == [True] * 3 + [False] * 2
    assert rate.allows(ANNA, 2.0), "the first is two seconds ago"
    assert not rate.allows(ANNA, 2.05)


def test_one_person_takes_nothing_from_another() -> None:
    rate: Rate[int] = Rate(1, 2.0)
    assert rate.allows(ANNA, 0.0)
    assert rate.allows(BEN, 0.0)
    assert not rate.allows(ANNA, 1.0)


def test_who_has_been_quiet_is_forgotten() -> None:
    rate: Rate[int] = Rate(2, 2.0)
    for user in range(1000):
        assert rate.allows(user, user * 0.01)
    assert len(rate._times) == 200


def test_who_pressed_last_is_forgotten_last() -> None:
    rate: Rate[int] = Rate(9, 2.0)
    cem = 3
    for user, now in ((ANNA, 0.0), (BEN, 1.0), (ANNA, 1.9), (cem, 3.5)):
        assert rate.allows(user, now)
    assert list(rate._times) == [ANNA, cem]


def test_a_call_that_led_to_nothing_is_taken_back() -> None:
    rate: Rate[int] = Rate(2, 60.0)
    assert rate.allows(1, 0.0)
    assert rate.allows(1, 1.0)
    rate.take_back(1)
    assert rate.allows(1, 2.0), "the second place is free again"
    assert not rate.allows(1, 3.0)


def test_nothing_is_taken_back_from_somebody_who_has_nothing() -> None:
    rate: Rate[int] = Rate(1, 60.0)
    rate.take_back(1)
    assert rate.allows(1, 0.0)
    rate.take_back(1)
    assert rate.allows(1, 1.0)
    assert not rate.allows(1, 2.0)


def test_thirty_presses_within_two_seconds_are_the_most() -> None:
    limit, begun = PressLimit(), 10.0

    def pressed(at: float) -> Refused | None:
        return limit.check(Press(1, UserId(7), "Anna", 1.8e9, begun + at))

    assert [pressed(0.05 * number) for number in range(30)] == [None] * 30
    assert pressed(1.99) == Refused(Stale.TOO_MANY)
    assert pressed(2.01) is None, "the first is two seconds ago"


def test_no_more_calls_are_kept_than_may_be_made() -> None:
    rate = Rate[str](3, 2.0)
    for second in range(100):
        assert rate.allows("anna", second)
    assert sum(map(len, rate._times.values())) <= 3


def test_asking_whether_it_is_full_counts_nothing() -> None:
    rate: Rate[int] = Rate(2, 2.0)
    for now in (0.0, 0.5):
        assert not rate.is_full(ANNA, now)
        assert rate.allows(ANNA, now)
    assert rate.is_full(ANNA, 1.9)
    assert not rate.is_full(ANNA, 2.0), "the first is two seconds ago"
    assert not rate.is_full(BEN, 0.5)
