"""Measures that a table keeps, at their very edge."""

from bot.ids import UserId
from bot.tables.presses.press import Press
from bot.tables.presses.replay_guard import ReplayGuard
from bot.tables.state.session import Phase
from bot.text import Name
from tests.tables.test_screens import ended
from tests.ui.matches import lobby


def test_a_match_with_a_target_ends_after_thirty_rounds() -> None:
    """However far its players are from their points."""
    nothing = ((0, 0), (0, 0))
    session = lobby(["Anna", "Ben"], target="100")
    session = ended(session, *[nothing] * 29)
    assert session.phase is Phase.READY
    assert len(ended(session, nothing).history) == 30
    assert ended(session, nothing).phase is Phase.OVER


def test_a_hundred_thousand_presses_are_remembered() -> None:
    """With more of them in a quarter of an hour, the older half goes at once."""
    fresh = ReplayGuard()
    for number in range(100_000):
        assert fresh.check(Press(number, UserId(1), "Anna", number / 1000, number / 1000)) is None
    assert fresh.remembered == 100_000
    assert fresh.check(Press(100_000, UserId(1), "Anna", 100.0, 100.0)) is None
    assert fresh.remembered == 50_001
    assert not fresh.knows(49_999)
    assert fresh.knows(50_000)


def test_a_name_takes_sixteen_columns_unless_its_line_says_less() -> None:
    assert Name("Maximiliane").width == 16
