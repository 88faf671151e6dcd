"""Logs of matches at real tables, read by a referee who knows only the format and the rules."""

import json
from random import Random
from typing import Any

import pytest

from bot.games.kernel import Reason
from bot.records import log as match_log
from bot.records.results import result
from bot.records.story import tell
from bot.tables import entries as e
from bot.tables.duels import DUEL_WITHIN, READING_TIME
from bot.tables.session import Phase
from bot.tables.table import Table
from tests.records.night import Memory, Night
from tests.records.referee import FoulError, Referee

PEOPLE = (1, 2, 3, 4, 5, 6)


def written(journal: Memory, table: Table) -> str:
    text = match_log.text(tell(line for line in journal.lines if line.table == table.id))
    assert text is not None
    return text


async def evening(seed: int) -> tuple[Memory, Table]:
    """A match with leavers, people who miss a round, wild presses, and now and then a close."""
    luck = Random(seed)
    game = luck.choice(["ligretto", "dice"])
    journal = Memory()
    night = Night(journal, seed)
    people, computers = luck.choice([(2, 0), (1, 1), (3, 0), (2, 1), (2, 2), (4, 0)])
    options = {
        "ligretto": luck.choice(
            [
                {"rounds": str(luck.randint(1, 4))},
                {"target": "25", "refill": "hand"},
                {"rounds": str(luck.randint(1, 4)), "variant": "expert"},
            ]
        ),
        "dice": {},
    }[game]
    table = await night.sit(game, PEOPLE[:people], computers=computers, options=options)
    while table.session.phase is not Phase.OVER:
        without = PEOPLE[1:2] if luck.random() < 0.2 and table.session.round else ()
        await night.begin(table, without=without)
        if luck.random() < 0.3:
            await night.play(table, presses=luck.randint(0, 60), wild=0.3)
            user = luck.choice(PEOPLE[:people])
            if table.session.seat_of(user) is not None:
                await night.press(table, user, "leave.yes")
        await night.play(table, wild=0.1)
    return journal, table


@pytest.mark.parametrize("first", range(0, 60, 10))
async def test_the_referee_agrees_with_every_log(first: int) -> None:
    for seed in range(first, first + 10):
        journal, table = await evening(seed)
        referee = Referee(written(journal, table)).check()
        assert tuple(referee.totals) == table.session.totals
        assert referee.seen["move"] > 0
        rejected = sum(isinstance(line.entry, e.Rejected) for line in journal.lines)
        assert referee.seen["reject"] == rejected, "every refusal by a rule is in the log"
        assert referee.duels == duels(journal, table), "the records have the same"


def duels(journal: Memory, table: Table) -> list[list[tuple[int, int, int]]]:
    """Those of each round, as they are recorded."""
    match = result(tell(line for line in journal.lines if line.table == table.id))
    assert match is not None
    return [[(one.first, one.late, one.ms) for one in round_.duels] for round_ in match.rounds]


async def test_among_these_evenings_is_everything_that_can_happen() -> None:
    seen: set[str] = set()
    for seed in range(30):
        journal, table = await evening(seed)
        events = [json.loads(line) for line in written(journal, table).splitlines()]
        seen |= {f"{events[0]['game']} {one['reason']}" for one in events if one["e"] == "end"}
        seen |= {one["e"] for one in events}
        seen |= {one["m"][0] for one in events if one["e"] == "move"}
        seen |= {f"{one['e']} {one['m'][1]}" for one in events if one.get("m", [""])[0] == "lay"}
        seen |= {"expert" for one in events if one.get("rules", {}).get("expert")}
        seen |= {"target" for one in events if "target" in one}
        seen |= {"sits out" for one in events if None in one.get("seats", one.get("dice", ()))}
    assert {"cards ligretto", "cards abort", "dice dice", "dice abort"} <= seen
    assert {"reject", "leave", "target", "sits out"} <= seen
    assert {"expert", "move ligretto", "move discard", "reject discard"} <= seen
    assert {"play", "lay", "flip", "recycle", "place", "reroll"} <= seen


async def test_a_dead_round_is_in_the_log_as_one() -> None:
    """Two who never see a fitting card of the row or pile can play to a dead end."""
    for seed in range(300):
        journal = Memory()
        night = Night(journal, seed)
        table = await night.sit("ligretto", (1, 2), options={"rounds": "1"})
        await night.play_all(table)
        if table.session.history[0].ended.reason is Reason.DEAD:
            assert Referee(written(journal, table)).check().reasons == {"dead": 1}
            return
    pytest.fail("no dead round in 300")


async def test_a_table_closed_in_mid_round_has_a_whole_log() -> None:
    journal = Memory()
    night = Night(journal)
    table = await night.sit("ligretto", (1, 2, 3))
    await night.begin(table)
    await night.play(table)
    await night.begin(table)
    await night.play(table, presses=40)
    await night.tables.close(table, "table.closed.channel")
    referee = Referee(written(journal, table)).check()
    assert referee.reasons == {"ligretto": 1, "abort": 1}
    assert table.session.counts


async def test_the_first_line_says_what_is_played() -> None:
    journal = Memory()
    night = Night(journal)
    table = await night.sit("dice", (1, 2, 3))
    await night.play_all(table)
    first, *_, last = (json.loads(line) for line in written(journal, table).splitlines())
    assert first == {
        "e": "start",
        "format": "ligretto-log/1",
        "players": 3,
        "game": "dice",
        "rounds": 9,
        "commit": table.session.commit,
    }
    assert last["seed"] == table.session.seed.hex()
    assert last["t"] == journal.lines[-1].at - next(
        line.at for line in journal.lines if isinstance(line.entry, e.Dealt)
    )


async def test_who_never_readied_is_not_in_the_log() -> None:
    journal = Memory()
    night = Night(journal)
    table = await night.sit("ligretto", (1, 2, 3), options={"rounds": "1"})
    await night.begin(table, without=(2,))
    await night.play(table)
    assert Referee(written(journal, table)).check().start["players"] == 2


async def test_names_are_put_in_when_it_is_asked_for() -> None:
    journal = Memory()
    night = Night(journal)
    table = await night.sit("ligretto", (1, 2), options={"rounds": "1"})
    await night.play_all(table)
    plain = written(journal, table)
    assert "user 1" not in plain
    with_names = match_log.named(plain, ("Zoë 木", "?"))
    assert with_names.splitlines()[1:] == plain.splitlines()[1:]
    assert Referee(with_names).check().start["names"] == ["Zoë 木", "?"]


async def test_moves_of_an_older_version_make_no_log() -> None:
    journal = Memory()
    night = Night(journal)
    table = await night.sit("ligretto", (1, 2), options={"rounds": "1"})
    await night.play_all(table)
    story = tell(
        line
        if not isinstance(line.entry, e.Moved)
        else line.__class__(
            line.table, line.seq, line.at, e.Moved(line.entry.seat, line.entry.move)
        )
        for line in journal.lines
    )
    assert match_log.text(story) is None


async def contested_match() -> list[dict[str, Any]]:
    """The log of a match with lost races, some of them told and some not."""
    journal = Memory()
    night = Night(journal, 5)
    table = await night.sit("ligretto", PEOPLE, options={"rounds": "6"})
    await night.play_all(table, wild=0.3)
    return [json.loads(line) for line in written(journal, table).splitlines()]


async def test_a_log_tells_every_race_and_which_of_them_count() -> None:
    events = await contested_match()
    raced = [one for one in events if "rival" in one]
    assert any(one["shown"] is None for one in raced)
    assert any(one["shown"] is not None and one["shown"] >= READING_TIME for one in raced)
    assert any(one["margin"] > DUEL_WITHIN for one in raced)
    referee = Referee(text_of(events)).check()
    assert 0 < sum(map(len, referee.duels)) < referee.contested < len(raced)


@pytest.mark.parametrize("fault", ["hidden", "another rival", "negative", "shown before"])
async def test_the_referee_finds_a_race_that_is_told_wrongly(fault: str) -> None:
    events = await contested_match()
    raced = next(one for one in events if "rival" in one)
    match fault:
        case "hidden":
            for key in ("rival", "margin", "shown"):
                del raced[key]
        case "another rival":
            raced["rival"] = next(p for p in range(3) if p not in (raced["p"], raced["rival"]))
        case "negative":
            raced["margin"] = -1
        case _:
            raced["shown"] = raced["margin"] + 1
    with pytest.raises(FoulError):
        Referee(text_of(events)).check()


def text_of(events: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


@pytest.mark.parametrize("fault", ["a card", "a score", "a winner", "the seed", "a refusal"])
async def test_the_referee_finds_a_false_line(fault: str) -> None:
    journal = Memory()
    night = Night(journal, 5)
    table = await night.sit("ligretto", (1, 2, 3), options={"rounds": "1"})
    await night.play_all(table)
    events = [json.loads(line) for line in written(journal, table).splitlines()]
    move = next(i for i, one in enumerate(events) if one["e"] == "move" and "card" in one)
    match fault:
        case "a card":
            events[move]["card"] = "R10"
        case "a score":
            events[-2]["scores"][0] += 1
        case "a winner":
            events[-1]["winners"] = [0, 1, 2]
        case "the seed":
            events[-1]["seed"] = "00" * 32
        case _:
            events.insert(move, {**events[move], "e": "reject"})
    with pytest.raises(FoulError):
        Referee("\n".join(map(json.dumps, events))).check()
