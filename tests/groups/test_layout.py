"""Which servers a process owns, and how its shards are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.groups.layout import WHOLE, Layout, in_short, shard_of, shards
from bot.ids import GuildId

SETS = st.sets(st.integers(0, 40), min_size=1).map(lambda found: tuple(sorted(found)))


@given(SETS)
def test_shards_are_read_as_they_are_written(ids: tuple[int, ...]) -> None:
    assert shards(in_short(ids)) == ids


@pytest.mark.parametrize("written", ["", "a", "3-1", "1-", "-1", "1,,2", "0-99999"])
def test_what_is_no_list_of_shards_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="shards"):
        shards(written)


@given(SETS, st.integers(0, 2**63 - 1).map(GuildId))
def test_each_server_belongs_to_one_of_two_groups(ids: tuple[int, ...], guild: GuildId) -> None:
    ours = Layout(41, ids)
    theirs = Layout(41, tuple(one for one in range(41) if one not in ids))
    assert ours.owns(guild) != theirs.owns(guild)
    assert ours.owns(guild) == (shard_of(guild, 41) in ids)
    assert ours.share + theirs.share == pytest.approx(1)
    assert ours.owns_direct_messages == (0 in ids)


def test_one_process_owns_every_server() -> None:
    assert WHOLE.owns(GuildId(7))
    assert WHOLE.owns_direct_messages
    assert WHOLE.share == 1
    assert (str(WHOLE), str(Layout(8, (0, 1, 2, 6)))) == ("every shard", "shards 0-2,6 of 8")
