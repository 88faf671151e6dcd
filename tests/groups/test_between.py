"""Each fault between groups is one line, which says what to do."""

from dataclasses import replace

from bot.groups.layout import Layout
from bot.ops.check.groups.between import APART, Member, between

NOW = 1_800_000_000.0
LAYOUT = Layout(4, (0, 1))
ONE = Member(
    1, 4, (0, 1), "here", 1, is_released=False, is_running=True, version="0.2.0", seen=NOW, ahead=0
)
TWO = replace(ONE, number=2, shards=(2, 3), holder="there")
DOWN = replace(TWO, is_running=False, seen=NOW - 12 * 60)


def found(*members: Member) -> list[str]:
    return [str(one) for one in between(members, LAYOUT, NOW)]


def test_groups_that_fit_are_one_line() -> None:
    assert found(ONE, TWO) == ["ok    groups: 2 running: 1 (shards 0-1), 2 (shards 2-3)"]


def test_before_any_start_only_others_shards_are_missing() -> None:
    (line,) = found()
    assert line == (
        "FIX   groups: shards 2-3 of 4 belong to no group: start one with them in SHARD_IDS"
    )


def test_group_that_is_down_is_named_with_its_last_sign() -> None:
    (line,) = found(ONE, DOWN)
    assert line == (
        "FIX   groups: group 2 (shards 2-3 of 4) is down since 2027-01-15 07:48 UTC (12 min ago), "
        "and its holder did not release it: start it there, or elsewhere with --take-over if that "
        "machine is lost"
    )


def test_group_that_was_stopped_has_only_to_be_started() -> None:
    (line,) = found(ONE, replace(DOWN, is_released=True))
    assert line.endswith("(12 min ago): start it")


def test_own_group_that_was_stopped_is_no_fault_but_one_that_was_killed_is() -> None:
    (line,) = between((ONE, replace(DOWN, is_released=True)), LAYOUT, NOW, own=2)
    assert str(line) == "ok    groups: 1 running: 1 (shards 0-1)"
    (line,) = between((ONE, DOWN), LAYOUT, NOW, own=2)
    assert "is down since" in str(line)


def test_group_whose_shards_others_run_was_split_or_merged() -> None:
    assert len(found(ONE, replace(TWO, number=3), DOWN)) == 1
    assert found(ONE, replace(TWO, number=3), DOWN)[0].startswith("ok")


def test_group_that_another_one_has_replaced_is_not_asked_for_while_that_is_stopped() -> None:
    """After a split, a merge, or a start without its database, the newer one has to be started."""
    newer = replace(TWO, number=3, is_running=False, is_released=True, seen=NOW)
    (line,) = found(ONE, DOWN, newer)
    assert line.startswith("FIX   groups: group 3 (shards 2-3 of 4) is stopped since")
    part = replace(newer, shards=(2,))
    assert [line.split(":")[1].split(" (")[0] for line in found(ONE, DOWN, part)] == [
        " group 2",
        " group 3",
    ]


def test_group_from_before_another_number_of_shards_is_not_asked_for() -> None:
    (line,) = found(ONE, TWO, replace(DOWN, number=3, count=2, shards=(0, 1)))
    assert line.startswith("ok")


def test_shards_that_two_groups_own() -> None:
    (line,) = found(ONE, replace(TWO, shards=(1, 2, 3)))
    assert line == (
        "FIX   groups: shards 1 belong to groups 1 and 2: give each shard to one of them in "
        "SHARD_IDS"
    )


def test_groups_of_another_number_of_shards() -> None:
    (line,) = found(ONE, TWO, replace(TWO, number=3, count=8, shards=(4, 5)))
    assert "group 3 (shards 4-5 of 8) has another SHARD_COUNT than 4" in line


def test_versions_that_differ() -> None:
    (line,) = found(ONE, replace(TWO, version="0.1.0"))
    assert "different versions: 0.1.0 in 2; 0.2.0 in 1: upgrade and restart" in line


def test_clock_that_differs_from_the_others() -> None:
    three = replace(TWO, number=3, shards=(3,), ahead=0.1)
    two = replace(TWO, shards=(2,), ahead=-APART - 1)
    (line,) = found(ONE, two, three)
    assert "the clock of group 2 is 3 s behind the others: turn on time synchronisation" in line
    assert found(ONE, replace(two, ahead=-APART), three)[0].startswith("ok")


def test_group_that_has_shown_nothing_yet_is_no_fault() -> None:
    (line,) = found(ONE, replace(TWO, version=None, seen=None, ahead=None))
    assert line.startswith("ok")


def test_group_whose_shards_still_connect() -> None:
    ok, connecting = found(ONE, replace(TWO, connected=0))
    assert ok.startswith("ok")
    assert connecting == (
        "later groups: group 2 (shards 2-3 of 4) has 0 of 2 shards connected; the others take 10 s "
        "or more"
    )
    assert len(found(ONE, replace(TWO, connected=2))) == 1
