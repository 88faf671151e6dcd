"""Every screen of every table fits into what Discord takes, and buttons stay where they are."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest

from bot.games.ligretto.fits import open_cards
from bot.games.ligretto.model import TOP, CentrePile, Colour, SeatCards, State
from bot.games.values import Refused, Seat
from bot.ids import ChannelId, GuildId, UserId
from bot.screen import Choice, Row, Screen, Sentence
from bot.tables.decisions import decide as d
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.state import events as e
from bot.tables.state.actions import Join, Move, SetOption
from bot.tables.state.evolve import apply
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase, Session
from bot.tables.views.host_options import options
from bot.text import Text
from bot.ui.render import components
from bot.ui.render.components import layout
from bot.ui.render.custom_ids import custom_id, parse
from bot.ui.render.marks import Reader
from bot.ui.render.names import columns
from tests.games.states import ligretto_state, seat_cards
from tests.tables.views import panel, public
from tests.ui.limits import BUTTON, SELECT, TEXT, fits, nested, sent
from tests.ui.matches import (
    HOST,
    HOSTILE,
    PEOPLE,
    TABLE,
    accepted,
    after,
    after_moves,
    different,
    live,
    lobby,
    match_over,
    moments,
    plays,
    round_over,
    screens,
    user,
)

WIDE = tuple("木" * 30 + name for name in "ABCDEFGHIJKL")
LATE = Sentence(
    Text("table.refused.too_late", (("card", "🔴 R10"), ("who", "W" * 16), ("ms", 3000)))
)


@pytest.mark.parametrize("refill", ["auto", "hand"])
@pytest.mark.parametrize(("players", "every"), [(2, 3), (4, 12), (12, 50)])
def test_every_screen_of_a_match_fits(players: int, every: int, refill: str) -> None:
    sessions = [*moments(lobby(PEOPLE[:players], refill=refill), every)]
    for screen in different(sessions, LATE):
        fits(screen)
    assert {session.phase for session in sessions} == set(Phase)


@pytest.mark.parametrize("people", [HOSTILE, WIDE, ("W" * 32,) * 12], ids=["hostile", "wide", "w"])
def test_every_screen_fits_whatever_twelve_people_call_themselves(people: Sequence[str]) -> None:
    for screen in different(moments(lobby(people, target="25"), every=50), LATE):
        fits(screen)


def test_a_lobby_with_computers_and_held_seats_fits() -> None:
    opened = e.Opened(
        "ligretto",
        1,
        GuildId(77),
        ChannelId(88),
        HOST,
        "de",
        {},
        tuple(map(e.Held, map(UserId, range(9)), WIDE)),
    )
    session = replace(lobby(WIDE[:1], computers=2), held=opened.held)
    for screen in screens(session, LATE):
        fits(screen)


@pytest.mark.parametrize("refill", ["auto", "hand"])
@pytest.mark.parametrize("players", [2, 4, 12])
def test_forty_eight_piles_with_every_top_open_fit(players: int, refill: str) -> None:
    session = after_moves(live(lobby(WIDE[:players], refill=refill)), 12)
    session = apply(session, late(session), session.at)
    owner = Seat(0)
    piles = [
        CentrePile(colour, (owner,) * min(number, TOP - 1))
        for colour in Colour
        for number in range(1, 13)
    ]
    state = replace(ligretto_state(session), centre=tuple(piles))
    session = replace(session, state=state)
    assert len(piles) == 48
    centre = public(session, 0)
    assert sum(text_of(centre).count(str(number)) >= 4 for number in range(1, TOP)) == 9
    assert text_of(centre).count(" 9") >= 16
    for screen in screens(session, LATE):
        fits(screen)


def late(session: Session) -> e.Rejected:
    """Somebody was three seconds late for the newest card."""
    first = session.news[-1]
    loser = next(seat for seat in session.seats_in if seat != first.seat)
    return e.Rejected(loser, first.claim, ("play", "row0"), "R1", first.seat, 3000)


def test_a_table_that_somebody_has_left_fits() -> None:
    session = after_moves(live(lobby(PEOPLE[:4])), 30)
    session = accepted(session, d.leave(session, user(1)))
    for screen in different((session, *plays(session))):
        fits(screen)


def test_a_match_that_was_stopped_or_closed_in_a_round_fits() -> None:
    session = after_moves(live(lobby(PEOPLE[:2])), 30)
    stopped = accepted(session, d.leave(session, HOST))
    assert stopped.phase is Phase.OVER
    ends = [stopped, *(accepted(session, d.close(session, f"table.closed.{why}")) for why in WHYS)]
    for later in ends:
        for screen in screens(later):
            fits(screen)


WHYS = ("idle", "broken", "version", "channel")


def test_a_round_that_goes_on_after_a_restart_fits() -> None:
    session = after_moves(live(lobby(PEOPLE[:3])), 5)
    paused = accepted(session, d.pause(session))
    assert paused.phase is Phase.READY
    for screen in screens(paused):
        fits(screen)


def test_a_person_who_sits_a_round_out_has_a_panel_that_fits() -> None:
    session = round_over(live(lobby(PEOPLE[:3])))
    for seat in (0, 1):
        session = accepted(session, d.ready(session, user(seat)))
    session = after(session, d.START_AFTER)
    session = accepted(session, d.deal(session, HOST))
    live_now = accepted(session, d.go_live(session))
    for later in (session, live_now):
        assert not later.dealt_in(Seat(2))
        for screen in screens(later):
            fits(screen)


# -- what comes back -----------------------------------------------------------------------


def test_what_a_button_sends_is_read_back() -> None:
    for button in (
        (TableId(1), 0, Join()),
        (TABLE, 30, Move("r10>4")),
        (TABLE, 3, SetOption("refill")),
    ):
        assert parse(custom_id(button[0], button[1], str(button[2]))) == button


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "join",
        "x" * 100,
        "lg1",
        "lg1:1:1:",
        "lg1:1:join",
        "lg1::1:join",
        "lg1:-1:1:join",
        "lg1:1:-1:join",
        "lg1:1:1:" + "x" * 61,
        f"lg1:{10**15}:1:join",
        f"lg1:1:{10**6}:join",
        "lg1:1.5:1:join",
        "lg1:١:1:join",
        "lg1:1:1:join\n",
        "lg1:1:1:jo\x00in",
        "lg1:1:1:é",
        "lg2:1:1:join",
        "LG1:1:1:join",
        " lg1:1:1:join",
    ],
    ids=ascii,
)
def test_a_forged_id_is_no_button_of_ours(forged: str) -> None:
    assert parse(forged) is None


async def test_a_sent_view_is_forgotten_by_discord_py() -> None:
    view = layout(public(lobby(PEOPLE[:2]), 0), TABLE, Reader("en-US"))
    assert view.is_finished()
    assert view.timeout is None


def test_a_note_is_one_text_without_buttons() -> None:
    view = components.note(Refused(TableRefusal.CLOSED).text, "en-US")
    (part,) = sent(view)
    assert part["content"] == "This table is closed. Open a new one with /ligretto or /dice."
    assert part["type"] == TEXT


# -- how it looks --------------------------------------------------------------------------


def text_of(screen: Screen) -> str:
    payload = sent(layout(screen, TABLE, Reader("en-US")))
    return "\n".join(part["content"] for part in nested(payload) if part["type"] == TEXT)


def buttons(screen: Screen) -> Iterator[dict[str, Any]]:
    payload = sent(layout(screen, TABLE, Reader("en-US")))
    return (part for part in nested(payload) if part["type"] == BUTTON)


def test_an_option_is_chosen_from_a_list_that_shows_what_holds() -> None:
    payload = sent(layout(options(lobby(PEOPLE[:2], rounds="5")), TABLE, Reader("en-US")))
    lists = [part for part in nested(payload) if part["type"] == SELECT]
    assert [one["custom_id"] for one in lists] == [
        f"lg1:{TABLE}:0:set.{key}"
        for key in ("length", "rules", "level", "assist", "panels", "place")
    ]
    chosen = [option["label"] for one in lists for option in one["options"] if option["default"]]
    assert chosen == [
        "5 rounds",
        "standard rules",
        "robots: medium",
        "no hints",
        "panels in this channel",
        "table in this channel",
    ]


def test_a_button_has_its_mark_its_colour_and_its_round() -> None:
    session = live(lobby(PEOPLE[:2]))
    own = seat_cards(session, 0)
    first = next(buttons(panel(session, HOST, 0)))
    card = own.row[0][0]
    marks = {"r": "🔴", "y": "🔶", "g": "🟩", "b": "🔷"}
    assert first["label"] == str(card).upper()
    assert first["emoji"]["name"] == marks[card.colour]
    assert first["custom_id"] == f"lg1:{TABLE}:1:{card}"
    assert first["style"] == 2


def test_the_centre_has_a_place_for_every_pile() -> None:
    """In the order of opening, a full one too; there are never more of a colour than players."""
    session = live(lobby(PEOPLE[:2]))
    piles = (CentrePile(Colour.RED, (Seat(0),) * 3), CentrePile(Colour.RED, (Seat(1),)))
    full = CentrePile(Colour.BLUE, (Seat(0),) * TOP)
    session = replace(session, state=replace(ligretto_state(session), centre=(*piles, full)))
    assert text_of(public(session, 0)).splitlines()[1:5] == [
        "🔴 `R 3 1`",
        "🔶 `Y – –`",
        "🟩 `G – –`",
        "🔷 `B ✓ –`",
    ]


def test_columns_at_a_full_table_are_straight_whatever_the_names() -> None:
    called = (*WIDE[:6], "Li", "עברית", *WIDE[8:])
    text = text_of(public(live(lobby(called)), 0))
    rows = text.split("```")[1].strip("\n").splitlines()
    assert len(rows) == 6
    assert len({columns(row[: row.rindex("10 ")]) for row in rows}) == 1


# -- buttons keep their places -------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    row: int
    slot: int


def laid_out(screen: Screen, own: SeatCards) -> dict[str, Place]:
    """Where every button of a player's panel is, by what it stands for."""
    rows = [block for block in screen.blocks if isinstance(block, Row)]
    kinds = {str(card): source for source, card in open_cards(own).items()}
    return {
        _kind(choice, kinds): Place(i, j)
        for i, row in enumerate(rows)
        for j, choice in enumerate(row.choices)
    }


def _kind(choice: Choice, kinds: dict[str, str]) -> str:
    if choice.word.startswith("flip:"):
        return "flip"
    if ">" in choice.word:
        return "down"
    kind = choice.word.removeprefix("off:").replace("ligretto.down", "down")
    if kind != choice.word:
        assert choice.off, choice
        return kind
    return kinds[choice.word]


def rounds_of(players: int, refill: str) -> Iterable[list[Session]]:
    """The live moments of each round of several matches."""
    for luck in range(12 // players):
        session = live(lobby(PEOPLE[:players], refill=refill))
        yield [s for s in (session, *plays(session, luck)) if s.phase is Phase.LIVE]


def own_cards(session: Session, seat: int) -> SeatCards:
    state: State = ligretto_state(session)
    own = state.seats[seat]
    assert own is not None
    return own


@pytest.mark.parametrize("players", [2, 3, 4, 12])
def test_refilled_by_hand_no_button_ever_moves(players: int) -> None:
    for sessions in rounds_of(players, "hand"):
        for seat in range(players):
            places = [laid_out(panel(s, user(seat), 0), own_cards(s, seat)) for s in sessions]
            assert all(earlier == later for earlier, later in pairwise(places))
            assert set(places[0]) >= {"row0", "ligretto", "down", "discard", "flip"}


@pytest.mark.parametrize("players", [2, 3, 4, 12])
def test_refilled_by_itself_a_last_card_goes_into_a_gap_from_its_own_place(players: int) -> None:
    """No button comes or goes: in plain words a second one would have a line of its own."""
    seen = 0
    for sessions in rounds_of(players, "auto"):
        for seat in range(players):
            own = [own_cards(s, seat) for s in sessions]
            screens_ = [panel(s, user(seat), 0) for s in sessions]
            places = list(map(laid_out, screens_, own))
            for now, cards in zip(places, own, strict=True):
                is_last = len(cards.ligretto) == 1 and cards.gap is not None
                assert is_last or "down" not in now
                seen += "down" in now
                kinds = {"ligretto" if kind == "down" else kind: now[kind] for kind in now}
                assert kinds == places[0]
    assert seen or players == 12


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_flip_button_is_the_last_one(players: int) -> None:
    session = live(lobby(PEOPLE[:players]))
    *_, last = buttons(panel(session, HOST, 0))
    assert (last["label"], last["emoji"]["name"]) == ("Flip", "🔄")


def test_a_gap_is_a_button_that_cannot_be_pressed() -> None:
    for session in plays(live(lobby(PEOPLE[:2], refill="hand"))):
        own = own_cards(session, 0) if session.state else None
        if own is not None and own.gap is not None:
            break
    else:
        raise AssertionError("no gap in a whole round")
    button = list(buttons(panel(session, HOST, 0)))[own.gap]
    assert button["disabled"]
    assert button["label"] == "– –"
    assert parse(button["custom_id"]) == (TABLE, 1, Move(f"off:row{own.gap}"))


def test_the_buttons_of_a_table_stay_where_they_are() -> None:
    """From the first Ready to the last card: a get-ready has Ready and Start in place of two."""
    shapes: dict[Phase, set[tuple[tuple[str, ...], ...]]] = {}
    for session in moments(lobby(PEOPLE[:2])):
        rows = [block for block in public(session, 1).blocks if isinstance(block, Row)]
        words = tuple(tuple(choice.word for choice in row.choices) for row in rows)
        shapes.setdefault(session.phase, set()).add(words)
    rules = "lr1:rules:open:ligretto"
    in_play = (("panel", "end"), (rules, "leave"), ("down", "lr1:fair:"), ("next",))
    assert shapes[Phase.COUNT] == shapes[Phase.LIVE] == {in_play}
    waiting = (("panel", "ready"), (rules, "leave"), ("down", "deal"), ("next",))
    assert shapes[Phase.READY] == {waiting}


def test_no_button_of_a_finished_match_plays_on() -> None:
    over = match_over(lobby(PEOPLE[:2]))
    words = [c.word for b in public(over, 0).blocks if isinstance(b, Row) for c in b.choices]
    assert words == ["rematch", "panel", "lr1:top:ligretto", "lr1:watch:", "lr1:log:", "lr1:fair:"]
