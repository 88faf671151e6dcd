"""Numbers of tables, matches and arenas: no two groups give the same, and none goes backwards."""

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from bot.groups.numbers import BASE, SPAN, after, born, following, number, short

GROUPS = st.integers(1, SPAN - 1)
COUNTS = st.integers(0, 10**9)


@given(COUNTS, GROUPS)
def test_number_tells_its_group_and_its_short_form(n: int, group: int) -> None:
    made = number(n, group)
    assert (born(made), short(made)) == (group, n)
    assert made >= BASE
    assert len(str(made)) <= 15, "a custom id has no room for more"


@given(st.integers(0, BASE - 1))
def test_older_numbers_stay_and_have_no_group(made: int) -> None:
    assert (born(made), short(made)) == (0, made)


def test_bot_of_one_process_counts_by_one() -> None:
    assert [after(0, 0), after(41, 0), following(41)] == [1, 42, 42]


def test_first_number_of_a_group_goes_on_from_the_old_ones() -> None:
    assert after(41, 3) == number(42, 3)
    assert following(number(42, 3)) == number(43, 3)


def test_no_number_is_given_twice_by_groups_that_take_over_from_each_other() -> None:
    """A file is split: each part gets a group of its own, and goes on. Then they are one again."""
    whole = [1, 2, 3]
    parts = {group: [after(whole[-1], group)] for group in (1, 2)}
    for group, _ in product(parts, range(5)):
        parts[group].append(following(parts[group][-1]))
    merged = sorted([*whole, *parts[1], *parts[2]])
    for group in (0, 7):
        merged.append(after(max(merged), group))
    assert all(one < other for one, other in pairwise(merged))
