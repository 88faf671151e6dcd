"""The stand-in's twin of each of the bot's scripts does what the script does on a real server."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.groups import once, presence, turns
from bot.groups.hops import sender
from bot.groups.lease import leases
from bot.groups.people import claims, feed, switches
from bot.ui.connection.gateway import identify_turns
from tests.groups.test_standin import Words, port, replies, simulated
from tests.real import ROOT
from tests.simulate.valkey.twins import TWINS

__all__ = ["port"]
CALL = "redis.call("
GROUPS = st.sampled_from(["1", "2", "3"])
HOLDERS = st.sampled_from(["h", "i"])
SMALL = st.sampled_from(["1", "2", "3"])
SHARDS = st.sampled_from([",0,1,", ",1,", ",2,", ",10,"])
LIFE = "100000"
STARTS = st.sampled_from(["", "_version", "of another start"])
"""What is looked for in what a server says of itself."""
START = re.compile(rb":[0-9a-f]{40}$")
FLAGS = st.sampled_from(["0", "1"])


def evaluated(
    script: str, keys: Sequence[str], *words: st.SearchStrategy[str] | str
) -> st.SearchStrategy[Words]:
    drawn = (st.just(one) if isinstance(one, str) else one for one in words)
    return st.tuples(*map(st.just, ("EVAL", script, str(len(keys)), *keys)), *drawn)


def lease(way: str, life: str = LIFE) -> st.SearchStrategy[Words]:
    own = (GROUPS, SMALL, HOLDERS, SMALL, SMALL, way)
    return evaluated(
        leases.TAKE, (), "p:", *own, st.sampled_from(["8", "8", "4"]), SHARDS, life, "1"
    )


ASKED = st.one_of(
    evaluated(switches.SET, ("plain",), SMALL, SMALL, st.sampled_from(["1", "0", ""]), FLAGS),
    st.tuples(st.just("HGETALL"), st.just("plain")),
    evaluated(claims.CLAIM, ("daily:1", "people"), GROUPS, SMALL, "1000", ""),
    st.tuples(st.just("SET"), st.just("people"), SMALL),
    st.tuples(st.just("DEL"), st.just("daily:1")),
    evaluated(turns.TAKE, ("edits",), "200000", "250", "100000", "120000000"),
    evaluated(once.TAKE, ("once",), HOLDERS, LIFE),
    evaluated(once.GIVE_BACK, ("once",), HOLDERS),
    lease("start"),
    lease("take-over"),
    lease("renew"),
    lease("start", "0"),
    GROUPS.flatmap(
        lambda group: evaluated(
            leases.RELEASE,
            (f"p:lease:{group}", f"p:group:{group}"),
            HOLDERS,
            SMALL,
        )
    ),
    evaluated(leases.NUMBER, ("p:groups",), SMALL),
    evaluated(leases.NUMBER, ("p:groups",)),
    evaluated(
        identify_turns.TAKE,
        ("identify:0", "starts"),
        "5000000",
        st.sampled_from(["0", "9000000"]),
        "86400",
    ),
    st.tuples(st.just("GET"), st.just("starts")),
    st.tuples(st.just("DEL"), st.just("identify:0")),
    evaluated(sender.ADD, ("p:lease:1", "in:1"), "1000", LIFE, "press", SMALL, "at", SMALL),
    st.tuples(st.just("XLEN"), st.just("in:1")),
    evaluated(claims.CLAIM, ("claim", "generation"), GROUPS, HOLDERS, "4000000000", STARTS),
    evaluated(claims.INHERIT, ("claim",), GROUPS, GROUPS, "4000"),
    evaluated(feed.TRIM, ("in:1",), st.sampled_from(["100000", "-100000"])),
    evaluated(feed.GENERATION, ("life", "filled", "plain"), HOLDERS),
    st.tuples(st.just("GET"), st.just("life")),
    st.tuples(st.just("SET"), st.sampled_from(["filled:h", "life"]), st.just("h")),
    st.tuples(st.just("GET"), st.just("filled:h")),
    st.tuples(st.just("SET"), st.just("generation"), HOLDERS),
    evaluated(
        switches.SET,
        ("plain",),
        GROUPS,
        SMALL,
        st.sampled_from(["", "0", "1"]),
        st.sampled_from("01"),
    ),
    st.tuples(st.just("HMGET"), st.just("plain"), st.just("1"), st.just("2")),
    evaluated(
        presence.NOTE,
        ("seen:1", "p:group:1"),
        *("1.0", "1780000000.5"),
        SMALL,
        st.sampled_from(["", "812"]),
    ),
    st.tuples(st.just("HMGET"), st.just("seen:1"), st.just("version"), st.just("connected")),
    st.tuples(st.just("HKEYS"), st.just("seen:1")),
    st.tuples(st.just("DEL"), st.sampled_from(["p:lease:1", "p:lease:2", "once", "edits"])),
    st.tuples(st.just("HGETALL"), GROUPS.map(lambda group: f"p:group:{group}")),
    st.tuples(st.just("GET"), st.sampled_from(["p:layout", "p:lease:1", "once"])),
    st.tuples(st.just("SMEMBERS"), st.just("p:groups")),
)


def without_time(found: list[object]) -> list[object]:
    """Turns are some milliseconds off, which pass on a real server."""
    return [
        round(one / 50_000) if isinstance(one, int) and one > 100 else _sorted(one) for one in found
    ]


def _sorted(reply: object) -> object:
    """The numbers of all groups are a set, which the real server tells in an order of its own; and
    each start of a server has its own id.
    """
    if isinstance(reply, bytes):
        return START.sub(b":its start", reply)
    is_taken = isinstance(reply, list) and reply[:1] == [b"taken"]
    return sorted(map(str, reply)) if isinstance(reply, list) and is_taken else reply


@settings(deadline=None, max_examples=300)
@given(st.lists(ASKED, min_size=1, max_size=15))
def test_any_scripts_do_the_same_on_both(port: int, commands: list[Words]) -> None:
    real = asyncio.run(replies(port, commands))
    assert without_time(simulated(commands)) == without_time(real)


def scripts() -> Iterator[str]:
    """Every script of the bot: a constant whose text calls the server."""
    for file in sorted((ROOT / "bot").rglob("*.py")):
        if CALL in file.read_text():
            module = import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
            constants = [one for one in vars(module).values() if isinstance(one, str)]
            yield from (one for one in constants if CALL in one)


def test_each_script_of_the_bot_has_a_twin_that_is_compared() -> None:
    assert {*scripts()} == {*TWINS}
    text = repr(ASKED)
    assert [one for one in TWINS if repr(one)[1:30] not in text] == []


@pytest.mark.parametrize("script", TWINS)
def test_a_twin_is_looked_up_by_the_whole_text(script: str) -> None:
    with pytest.raises(AssertionError):
        simulated([("EVAL", f"{script} ", "0")])
