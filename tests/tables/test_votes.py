"""What the players agree on: to end a round that hangs, to go on without somebody."""

from dataclasses import replace

import pytest

from bot.games.values import Reason, Refused
from bot.ids import UserId
from bot.screen import Row
from bot.tables.decisions import votes
from bot.tables.decisions.decide import pause
from bot.tables.decisions.presence import ABSENT_AFTER, QUIET_AFTER
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.session import Phase, Session
from bot.tables.views.lines import ending_line
from bot.tables.views.screens.table_message import public
from tests.tables.registry import Server, why

ANNA, BEN, CEM, DORA, ELI, FAY, STRANGER = (
    UserId(101),
    UserId(102),
    UserId(103),
    UserId(104),
    UserId(105),
    UserId(106),
    UserId(109),
)


@pytest.fixture
def server() -> Server:
    return Server()


async def rest(server: Server, seconds: float) -> None:
    await server.clock.advance(seconds)
    await server.tables.tick()


def ended_by_abort(session: Session) -> bool:
    return bool(session.history) and session.history[-1].ended.reason is Reason.ABORT


# -- the end of a round ------------------------------------------------------------------------


async def test_a_round_ends_when_all_agree_and_is_scored_as_it_stands(server: Server) -> None:
    """A30: an agreed stop is outside the sheets; for cards it is one of the agreed rounds."""
    table = await server.live(ANNA, BEN, CEM)
    for user in (ANNA, BEN):
        assert why(await server.press(user, "end", round_=1)) is None
        assert table.session.phase is Phase.LIVE
    await server.press(CEM, "end", round_=1)
    assert table.session.phase is Phase.READY
    assert ended_by_abort(table.session)
    assert table.session.totals == (-20, -20, -20), "ten Ligretto cards left, none laid"
    assert not table.session.end_asked


async def test_a_second_press_takes_a_vote_to_end_the_round_back(server: Server) -> None:
    table = await server.live(ANNA, BEN)
    await server.press(ANNA, "end", round_=1)
    back = await server.press(ANNA, "end", round_=1)
    assert back.said.key == "table.end_taken_back"
    assert not table.session.end_asked
    await server.press(BEN, "end", round_=1)
    assert not table.session.history, "only Ben wants it"
    await server.press(ANNA, "end", round_=1)
    assert ended_by_abort(table.session)
    assert server.replayed() == replace(table.session, at=server.replayed().at)


async def test_a_round_ends_when_all_who_are_still_here_have_agreed(server: Server) -> None:
    """Anna's second press would take her vote back: nobody has to press for what is agreed on."""
    table = await server.live(ANNA, BEN)
    await server.press(ANNA, "end", round_=1)
    await away(server, ANNA)
    assert table.session.phase is Phase.READY
    assert ended_by_abort(table.session)


async def test_a_vote_to_end_the_round_is_taken_back_while_the_round_rests(server: Server) -> None:
    """After a restart everybody gets ready again, and the votes of before stand."""
    table = await server.live(ANNA, BEN)
    await server.press(ANNA, "end", round_=1)
    await table.do(pause)
    back = await server.press(ANNA, "end", round_=1)
    assert back.said.key == "table.end_taken_back"
    assert why(await server.press(ANNA, "end", round_=1)) is TableRefusal.NOT_LIVE
    for user in (ANNA, BEN):
        await server.press(user, "ready", round_=1)
    await server.go_live()
    await server.press(BEN, "end", round_=1)
    assert not table.session.history, "only Ben wants it"


async def test_who_leaves_wants_no_end_of_the_round_any_more(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM)
    await server.press(BEN, "end", round_=1)
    assert ending_line(table.session) is not None
    await server.press(BEN, "leave.yes")
    assert table.session.end_asked == frozenset()
    assert ending_line(table.session) is None
    assert server.replayed().end_asked == frozenset()


async def test_a_round_of_dice_that_is_stopped_is_dealt_again(server: Server) -> None:
    """A32: nobody gets points and the round is none of those agreed."""
    await server.open(ANNA, game="dice")
    await server.press(BEN, "join")
    await server.press(ANNA, "start")
    table = server.table
    for user in (ANNA, BEN):
        await server.press(user, "ready")
    await server.go_live()
    for user in (ANNA, BEN):
        await server.press(user, "end", round_=1)
    assert table.session.phase is Phase.READY
    assert table.session.history == ()
    assert table.session.dropped
    (end,) = (x for x in server.entries if isinstance(x, e.RoundEnded))
    assert (end.plus, end.minus) == ((0, 0), (0, 0))
    for user in (ANNA, BEN):
        await server.press(user, "ready", round_=1)
    assert not table.session.dropped


async def test_who_is_away_is_not_asked(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM)
    await rest(server, ABSENT_AFTER - 1)
    for user in (ANNA, BEN):
        await server.press(user, "panel")
    await rest(server, 2)
    await server.press(ANNA, "end", round_=1)
    asked = await server.press(BEN, "end", round_=1)
    assert dict(asked.said.values) == {"n": 2, "of": 2}
    assert ended_by_abort(table.session)


async def test_it_ends_too_when_the_last_who_did_not_agree_leaves(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM)
    for user in (ANNA, BEN):
        await server.press(user, "end", round_=1)
    await server.press(CEM, "leave.yes")
    assert ended_by_abort(table.session)


async def test_computers_are_not_asked(server: Server) -> None:
    await server.open(ANNA)
    for word in ("add", "add", "start", "ready"):
        await server.press(ANNA, word)
    await server.go_live()
    await server.press(ANNA, "end.yes", round_=1)
    assert ended_by_abort(server.table.session)


async def test_whoever_decides_alone_is_asked_first(server: Server) -> None:
    """Leave asks as well: both are one press from a lost match."""
    await server.open(ANNA)
    for word in ("add", "add", "start", "ready"):
        await server.press(ANNA, word)
    await server.go_live()
    session = server.table.session
    asked = await server.press(ANNA, "end", round_=1)
    assert (asked.said.key, server.table.session.phase) == ("end.sure", Phase.LIVE)
    assert not server.table.session.end_asked
    assert (await server.press(ANNA, "end.no", round_=1)).said.key == "end.kept"
    assert server.table.session.history == session.history
    await server.press(ANNA, "end.yes", round_=1)
    assert server.table.session.history[-1].ended.voters == (0,)
    assert why(await server.press(ANNA, "end.yes", round_=1)) is TableRefusal.ROUND_OVER


async def test_with_others_the_vote_stays_a_vote(server: Server) -> None:
    """A confirmation for a round that another is asked about as well is one vote of two."""
    table = await server.live(ANNA, BEN)
    await server.press(ANNA, "end.yes", round_=1)
    assert table.session.phase is Phase.LIVE
    assert table.session.end_asked == {0}
    await server.press(BEN, "end", round_=1)
    assert table.session.history[-1].ended.voters == (0, 1)


async def test_whoever_stays_is_asked_while_all_others_are_away(server: Server) -> None:
    table = await server.live(ANNA, BEN)
    await away(server, ANNA)
    asked = await server.press(ANNA, "end", round_=1)
    assert (asked.said.key, table.session.phase) == ("end.sure", Phase.LIVE)
    await server.press(ANNA, "end.yes", round_=1)
    assert table.session.history[-1].ended.voters == (0,)


async def test_only_who_plays_the_round_is_asked(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM)
    for user in (ANNA, BEN, CEM):
        await server.press(user, "end", round_=1)
    for user in (ANNA, BEN):
        await server.press(user, "ready", round_=1)
    await server.clock.advance(31)
    await server.press(ANNA, "deal", round_=1)
    await server.go_live()
    assert why(await server.press(CEM, "end", round_=2)) is TableRefusal.SITS_OUT
    assert why(await server.press(STRANGER, "end", round_=2)) is TableRefusal.WATCHING
    for user in (ANNA, BEN):
        await server.press(user, "end", round_=2)
    assert len(table.session.history) == 2


async def test_strangers_have_no_vote(server: Server) -> None:
    session = (await server.live(ANNA, BEN)).session
    watching = Refused(TableRefusal.WATCHING)
    assert votes.end_round(session, STRANGER, ()) == watching
    assert votes.play_on(session, STRANGER) == watching
    assert votes.release(session, STRANGER, ANNA, (ANNA,)) == watching


async def test_before_the_round_is_live_there_is_nothing_to_end(server: Server) -> None:
    await server.open(ANNA)
    await server.press(BEN, "join")
    await server.press(ANNA, "start")
    assert why(await server.press(ANNA, "end")) is TableRefusal.NOT_LIVE


# -- a long quiet ------------------------------------------------------------------------------


async def test_a_long_quiet_is_noticed_and_a_laid_card_ends_it(server: Server) -> None:
    """Turning cards alone is quiet: that is how a round hangs that is not dead."""
    table = await server.live(ANNA, BEN)
    changes = watched(server)
    await rest(server, QUIET_AFTER - 1)
    await server.press(ANNA, "flip:0", round_=1)
    assert not table.presence().quiet
    changes.clear()
    await rest(server, 2)
    assert table.presence().quiet
    assert changes == [table], "everybody's screens are drawn again without a press"
    changes.clear()
    await rest(server, 5)
    assert changes == [], "once"

    laid = next(move for move in moves(table) if not move.startswith("flip"))
    seat = 0 if laid in moves(table, seat=0) else 1
    await server.press((ANNA, BEN)[seat], laid, round_=1)
    assert not table.presence().quiet


def watched(server: Server) -> list[Table]:
    changes: list[Table] = []
    server.tables.watchers.append(changes.append)
    return changes


def moves(table: Table, seat: int | None = None) -> list[str]:
    session = table.session
    seats = session.seats_in if seat is None else (session.seats_in[seat],)
    return [str(move) for one in seats for move in session.game.moves(session.in_play, one)]


# -- somebody who is away ----------------------------------------------------------------------


async def away(server: Server, *here: UserId) -> None:
    """Time goes by; only these press something."""
    await rest(server, ABSENT_AFTER - 1)
    for user in here:
        await server.press(user, "panel")
    await rest(server, 2)


async def test_a_host_is_away_only_for_somebody_else(server: Server) -> None:
    await server.open(ANNA)
    await server.press(ANNA, "add")
    await away(server)
    assert not server.table.presence().host_away, "nobody but a robot is there"
    await server.press(BEN, "join")
    assert server.table.presence().host_away


async def test_who_has_not_pressed_for_three_minutes_is_named(server: Server) -> None:
    table = await server.live(ANNA, BEN)
    changes = watched(server)
    await away(server, ANNA)
    assert table.presence().absent == (BEN,)
    assert changes
    await server.press(BEN, "panel")
    assert table.presence().absent == ()


async def test_most_of_the_others_release_him_and_that_is_a_leave(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM, DORA)
    await away(server, ANNA, CEM, DORA)
    first = await server.press(ANNA, f"release.{BEN}")
    assert table.session.seat_of(BEN) is not None
    assert {gap: value for gap, value in first.said.values if gap != "name"} == {"n": 1, "of": 2}
    await server.press(CEM, f"release.{BEN}")
    assert table.session.seat_of(BEN) is None
    assert e.Left(1, away=True) in server.entries
    assert why(await server.press(BEN, "ready", round_=1)) is TableRefusal.AWAY


async def test_a_second_press_takes_a_vote_to_release_somebody_back(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM, DORA)
    await away(server, ANNA, CEM, DORA)
    await server.press(ANNA, f"release.{BEN}")
    back = await server.press(ANNA, f"release.{BEN}")
    assert back.said.key == "table.release_taken_back"
    await server.press(CEM, f"release.{BEN}")
    assert table.session.seat_of(BEN) is not None, "only Cem wants it"
    assert server.replayed().release_votes == {(2, 1)}
    await server.press(ANNA, f"release.{BEN}")
    assert table.session.seat_of(BEN) is None


async def test_a_vote_to_release_somebody_is_taken_back_after_the_round(server: Server) -> None:
    """He is not absent then, since nobody waits for him any more; the vote stands all the same."""
    table = await server.live(ANNA, BEN, CEM, DORA)
    await away(server, ANNA, CEM, DORA)
    await server.press(ANNA, f"release.{BEN}", round_=1)
    for user in (ANNA, CEM, DORA):
        await server.press(user, "end", round_=1)
    assert (table.session.phase, table.presence().absent) == (Phase.READY, ())
    back = await server.press(ANNA, f"release.{BEN}", round_=1)
    assert back.said.key == "table.release_taken_back"
    assert table.session.release_votes == frozenset()
    assert why(await server.press(ANNA, f"release.{BEN}", round_=1)) is TableRefusal.NOT_ABSENT


async def test_no_vote_outlives_the_match(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM, DORA, rounds="1")
    await away(server, ANNA, CEM, DORA)
    await server.press(ANNA, f"release.{BEN}", round_=1)
    for user in (ANNA, CEM, DORA):
        await server.press(user, "end", round_=1)
    assert (table.session.phase, table.session.release_votes) == (Phase.OVER, frozenset())
    assert why(await server.press(ANNA, f"release.{BEN}", round_=1)) is TableRefusal.NOT_ABSENT


async def test_somebody_is_released_when_most_who_are_still_here_agree(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM, DORA)
    await away(server, ANNA, CEM, DORA)
    await server.press(ANNA, f"release.{BEN}")
    await away(server, ANNA)
    assert table.session.seat_of(BEN) is None


async def test_a_press_makes_every_vote_against_him_void(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM, DORA)
    await away(server, ANNA, CEM, DORA)
    await server.press(ANNA, f"release.{BEN}")
    await server.press(BEN, "flip:0", round_=1)
    assert e.Returned(1) in server.entries
    await away(server, ANNA, CEM, DORA)
    await server.press(CEM, f"release.{BEN}")
    assert table.session.seat_of(BEN) is not None, "Anna's voice was given before he was back"


async def test_half_of_those_who_are_still_here_release_nobody(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM, DORA, ELI, FAY)
    await away(server, ANNA, BEN, CEM, DORA, ELI)
    for user in (ANNA, BEN):
        await server.press(user, f"release.{FAY}")
    for here, is_seated in (((ANNA, BEN, CEM, DORA), True), ((ANNA, BEN, CEM), False)):
        for _ in range(2):
            for user in here:
                await server.press(user, "panel")
            await rest(server, ABSENT_AFTER / 2 + 1)
        assert (table.session.seat_of(FAY) is not None) is is_seated, f"two of {len(here)}"


async def test_nobody_who_is_here_can_be_released(server: Server) -> None:
    await server.live(ANNA, BEN, CEM)
    assert why(await server.press(ANNA, f"release.{BEN}")) is TableRefusal.NOT_ABSENT
    assert why(await server.press(ANNA, f"release.{STRANGER}")) is TableRefusal.NOT_ABSENT
    await away(server, ANNA)
    assert why(await server.press(STRANGER, f"release.{BEN}")) is TableRefusal.WATCHING
    assert why(await server.press(BEN, f"release.{BEN}")) is TableRefusal.NOT_ABSENT, (
        "by asking he is back"
    )


async def test_released_before_the_first_deal_he_is_unseated(server: Server) -> None:
    await server.open(ANNA)
    for user in (BEN, CEM):
        await server.press(user, "join")
    await server.press(ANNA, "start")
    await away(server, ANNA, CEM)
    for user in (ANNA, CEM):
        await server.press(user, f"release.{BEN}")
    assert [chair.user for chair in server.table.session.chairs] == [ANNA, CEM]


async def test_votes_before_the_first_deal_outlive_who_else_leaves(server: Server) -> None:
    """Seats are numbered anew when somebody leaves; the votes of all others go with them."""
    table = await before_the_first_deal(server, ANNA, BEN, CEM, DORA, ELI)
    await away(server, ANNA, BEN, CEM, ELI)
    await server.press(ANNA, f"release.{DORA}")
    await server.press(BEN, f"release.{DORA}")
    assert table.session.release_votes == {(0, 3), (1, 3)}
    await server.press(BEN, "leave.yes")
    assert table.session.release_votes == {(0, 2)}, "Anna's, of Dora; not Ben's, who has left"
    await server.press(ELI, f"release.{DORA}")
    assert [chair.user for chair in table.session.chairs] == [ANNA, CEM, ELI]
    assert table.session.release_votes == frozenset(), "Dora is gone"
    assert server.replayed().release_votes == frozenset()


async def before_the_first_deal(server: Server, host: UserId, *others: UserId) -> Table:
    """A table that has started and gets ready for its first round."""
    await server.open(host)
    for user in others:
        await server.press(user, "join")
    await server.press(host, "start")
    return server.table


async def test_nobody_is_away_for_the_time_that_others_took(server: Server) -> None:
    """A long lobby, and a long wait for somebody else's Ready, are nobody's absence."""
    await server.open(ANNA)
    await server.press(BEN, "join")
    await rest(server, ABSENT_AFTER + 60)
    await server.press(ANNA, "start")
    table = server.table
    await rest(server, 1)
    assert table.presence().absent == ()
    assert why(await server.press(ANNA, f"release.{BEN}")) is TableRefusal.NOT_ABSENT
    await server.press(BEN, "ready")
    await rest(server, ABSENT_AFTER + 10)
    await server.press(ANNA, "ready")
    await server.go_live()
    await rest(server, 1)
    assert table.presence().absent == ()
    await server.press(ANNA, "end", round_=1)
    assert table.session.phase is Phase.LIVE, "Ben is asked as well"


async def test_who_is_ready_and_waits_is_not_away(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM)
    for user in (ANNA, BEN, CEM):
        await server.press(user, "end", round_=1)
    await server.press(ANNA, "ready", round_=1)
    await rest(server, ABSENT_AFTER + 1)
    assert table.presence().absent == (BEN, CEM)


async def test_votes_are_in_the_journal_and_count_after_a_restart(server: Server) -> None:
    await server.live(ANNA, BEN, CEM, DORA)
    await server.press(ANNA, "end", round_=1)
    await away(server, ANNA, CEM, DORA)
    await server.press(ANNA, f"release.{BEN}")
    session = server.replayed()
    assert session.end_asked == {0}
    assert session.release_votes == {(0, 1)}


async def test_a_vote_against_one_is_none_against_another(server: Server) -> None:
    table = await server.live(ANNA, BEN, CEM, DORA)
    await away(server, ANNA, DORA)
    await server.press(ANNA, f"release.{CEM}")
    await server.press(DORA, f"release.{BEN}")
    assert table.session.seat_of(BEN) is not None
    assert table.session.seat_of(CEM) is not None
    await server.press(DORA, f"release.{CEM}")
    assert table.session.seat_of(CEM) is None


async def test_whoever_has_votes_against_them_keeps_their_button(server: Server) -> None:
    """Three can be released at a time, and four are away: the vote can still be taken back."""
    fay = UserId(106)
    table = await server.live(ANNA, BEN, CEM, DORA, ELI, fay)
    await away(server, ANNA, ELI)
    await server.press(ANNA, f"release.{fay}", round_=1)
    offered = [
        choice.word
        for block in public(table.session, table.presence()).blocks
        if isinstance(block, Row)
        for choice in block.choices
        if choice.word.startswith("release.")
    ]
    assert len(offered) == 3
    assert offered[0] == f"release.{fay}"
