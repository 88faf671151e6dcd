"""What holds in every round of Ligretto, standard or expert, checked on whole random rounds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.chance import Chance
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.model import (
    Card,
    CentrePile,
    Flip,
    Lay,
    Move,
    Pile,
    Play,
    SeatCards,
    State,
    deck,
)
from bot.games.ligretto.rules import REFILL, VARIANT
from bot.games.values import Ending, LogMove, Played, Reason, Refused, Seat
from bot.i18n import say
from bot.tables.running.robots import LEVELS
from tests.games.ligretto.board import board, cards_of, own
from tests.games.ligretto.record import FOLDER, GOLDEN, Table, record, replay
from tests.games.look_alikes import assert_alike

LONGEST = 1500
"""Presses after which a random round is left as it is; nearly all end long before."""


@dataclass(frozen=True, slots=True)
class Press:
    """One press of a random round; `move` is None where the seat leaves."""

    before: State
    seat: Seat
    move: Move | None
    after: State
    logged: tuple[LogMove, ...] = ()


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """2 to 12 seats at a table of either variant, of whom at least two are dealt in."""
    seats = draw(st.integers(2, 12))
    sits_out = draw(st.sets(st.integers(0, seats - 1), max_size=min(2, seats - 2)))
    dealt = "".join("-" if seat in sits_out else "x" for seat in range(seats))
    seed = draw(st.binary(min_size=32, max_size=32))
    refill, variant = (draw(st.sampled_from(option.values)) for option in (REFILL, VARIANT))
    return Table(seed, draw(st.integers(1, 30)), dealt, refill, variant)


def random_round(table: Table) -> Iterator[Press]:
    """Whoever chance names makes his first move or any other; seldom he leaves."""
    state, luck, number = table.deal(), Chance(table.seed, 0, 0), 1
    for _ in range(LONGEST):
        if LIGRETTO.ending(state) is not None:
            return
        seat = Seat(luck.below(len(table.dealt)))
        if luck.below(400) == 0:
            after = LIGRETTO.leave(state, seat)
            yield Press(state, seat, None, after)
            state = after
            continue
        legal = list(LIGRETTO.moves(state, seat))
        if not legal:
            continue
        move = legal[0] if luck.below(4) else luck.pick(legal)
        outcome = LIGRETTO.play(state, seat, move, Chance(table.seed, table.round, number))
        assert isinstance(outcome, Played), f"{seat} {move} was offered and refused"
        yield Press(state, seat, move, outcome.state, outcome.moves)
        state, number = outcome.state, number + len(outcome.moves)


def some_states(table: Table) -> list[State]:
    """The deal, every 23rd state, and the last one of a random round."""
    states = [table.deal(), *(press.after for press in random_round(table))]
    return [*states[::23], states[-1]]


def seats_in(state: State) -> list[Seat]:
    return [Seat(seat) for seat, cards in enumerate(state.seats) if cards is not None]


def every_seat(state: State) -> list[Seat]:
    return [Seat(seat) for seat in range(len(state.seats))]


@settings(deadline=None, max_examples=40)
@given(table=tables())
def test_no_card_is_ever_lost_or_copied(table: Table) -> None:
    """C2, C3: each player's 40 cards lie somewhere at every step."""
    whole = Counter(deck())
    for seat in seats_in(table.deal()):
        assert cards_of(table.deal(), seat) == whole
    for press in random_round(table):
        for seat in seats_in(press.after):
            if seat != press.seat:
                assert own(press.after, seat) == own(press.before, seat)
        if press.seat in seats_in(press.after):
            assert cards_of(press.after, press.seat) == whole
        laid = sum(1 for (kind, *_), _ in press.logged if kind == "play")
        before, after = (
            [owner for pile in state.centre for owner in pile.owners]
            for state in (press.before, press.after)
        )
        assert Counter(after) - Counter(before) == Counter([press.seat] * laid)


@settings(deadline=None, max_examples=40)
@given(table=tables())
def test_centre_piles_only_grow_and_keep_their_places(table: Table) -> None:
    """C10, C12, C13."""
    for press in random_round(table):
        before, after = press.before.centre, press.after.centre
        assert len(before) <= len(after) <= len(before) + 1
        for old, new in zip(before, after, strict=False):
            assert new.colour == old.colour
            assert new.owners[: len(old.owners)] == old.owners
        assert all(1 <= pile.top <= 10 for pile in after)


@settings(deadline=None, max_examples=20)
@given(table=tables())
def test_the_same_seed_and_moves_lead_to_the_same_state(table: Table) -> None:
    first, again = list(random_round(table)), list(random_round(table))
    assert first == again


@settings(deadline=None, max_examples=40)
@given(table=tables())
def test_every_round_ends_and_only_once(table: Table) -> None:
    """C20, C21, C22."""
    presses = list(random_round(table))
    assert len(presses) < LONGEST
    last = presses[-1].after
    ending = LIGRETTO.ending(last)
    empty = [seat for seat in seats_in(last) if not own(last, seat).ligretto]
    if empty:
        assert ending == Ending(Reason.LIGRETTO, empty[0])
        assert empty == [presses[-1].seat]
        assert not any(list(LIGRETTO.moves(last, seat)) for seat in every_seat(last))
    else:
        assert ending == Ending(Reason.DEAD)
        for seat in seats_in(last):
            assert all(helps_nobody(last, seat, move) for move in LIGRETTO.moves(last, seat))


def helps_nobody(state: State, seat: Seat, move: Move) -> bool:
    """All that is left in a dead round: to turn cards, and (X9) to lay reserve cards in vain."""
    if isinstance(move, Lay):
        return state.expert and own(state, seat).discard[-1] == move.card
    return isinstance(move, Flip)


@settings(deadline=None, max_examples=20)
@given(table=tables(), level=st.sampled_from(sorted(LEVELS)))
def test_computer_players_bring_every_round_to_its_end(table: Table, level: str) -> None:
    """Wherever people have left it: with all of them, or with one alone."""
    states = some_states(table)
    for start in (states[0], states[len(states) // 2]):
        seats = [seat for seat in seats_in(start) if not own(start, seat).gone]
        for players in (seats, seats[:1]):
            state, luck = start, Chance(table.seed, 0, 2)
            for seat in set(seats) - set(players):
                state = LIGRETTO.leave(state, seat)
            for number in range(4 * LONGEST):
                if LIGRETTO.ending(state) is not None:
                    break
                seat = players[number % len(players)]
                move = LIGRETTO.choose(LIGRETTO.view(state, seat), LEVELS[level], luck)
                if move is not None:
                    outcome = LIGRETTO.play(state, seat, move, Chance(table.seed, 99, number))
                    assert isinstance(outcome, Played), f"{move}: {outcome}"
                    state = outcome.state
            assert LIGRETTO.ending(state) is not None


@settings(deadline=None, max_examples=40)
@given(table=tables())
def test_points_are_what_one_counts_by_hand_in_the_centre(table: Table) -> None:
    """C24, C25, C26: whenever the round is counted."""
    for state in some_states(table):
        points = LIGRETTO.scores(state)
        assert len(points) == len(state.seats)
        for seat in every_seat(state):
            plus = sum(pile.owners.count(seat) for pile in state.centre)
            left = len(own(state, seat).ligretto) if seat in seats_in(state) else 0
            assert (points[seat].plus, points[seat].minus) == (plus, 2 * left)
            assert points[seat].net == plus - 2 * left
            assert (LIGRETTO.left(state)[seat] or 0) == left
        assert sum(one.plus for one in points) == sum(pile.top for pile in state.centre)


EVERY_PLAY_AND_LAY: list[Move] = [
    *(Play(card) for card in deck()),
    *(Lay(card, column) for card in deck() for column in range(5)),
]


@settings(deadline=None, max_examples=30)
@given(table=tables())
def test_offered_moves_are_accepted_and_all_others_refused_with_words(table: Table) -> None:
    """C9 to C19: and a refusal changes nothing."""
    for state in some_states(table):
        if LIGRETTO.ending(state) is not None:
            continue
        copy = rebuilt(state)
        for seat in every_seat(state)[:3]:
            offered = list(LIGRETTO.moves(state, seat))
            assert len(set(offered)) == len(offered)
            flips = [Flip(number) for number in range(40)]
            accepted = {
                move for move in [*EVERY_PLAY_AND_LAY, *flips] if accepts(state, seat, move)
            }
            known = own(state, seat).flips < 40 if seat in seats_in(state) else True
            assert accepted == {m for m in offered if known or not isinstance(m, Flip)}
        assert state == copy


def accepts(state: State, seat: Seat, move: Move) -> bool:
    outcome = LIGRETTO.play(state, seat, move, Chance(bytes(32), 1, 1))
    if isinstance(outcome, Played):
        assert outcome.state != state
        assert say(outcome.said, "en")
        return True
    assert say(outcome.text, "en")
    return False


def rebuilt(state: State) -> State:
    """An equal state that shares no seat with the first."""
    return replace(state, seats=tuple(one and replace(one) for one in state.seats))


def test_every_reason_to_refuse_has_english_words() -> None:
    for why in type(LIGRETTO.no_fit):
        assert say(Refused(why, (("card", "R2"), ("needs", "R1"))).text, "en")


def test_a_state_is_a_frozen_value_all_the_way_down() -> None:
    state = board("""
        centre r0
        0  row r2 - b5 | ligretto g7 g8 | hand y1 | discard b9
    """)
    assert hash(state) == hash(rebuilt(state))
    for value in (state, own(state, Seat(0))):
        with pytest.raises(FrozenInstanceError):
            setattr(value, fields(value)[0].name, None)
    for named in (state.centre[0], deck()[0]):
        with pytest.raises(AttributeError):
            setattr(named, named._fields[0], None)


def reshuffled(cards: SeatCards, luck: Chance) -> SeatCards:
    """The same cards to the eye; what is covered lies in another order or is another card."""
    hidden = luck.shuffled((*cards.ligretto[1:], *cards.hand, *cards.discard[:-1]))
    ligretto, hand = len(cards.ligretto[1:]), len(cards.hand)
    return replace(
        cards,
        ligretto=cards.ligretto[:1] + hidden[:ligretto],
        hand=hidden[ligretto : ligretto + hand],
        discard=hidden[ligretto + hand :] + cards.discard[-1:],
    )


@settings(deadline=None, max_examples=30)
@given(table=tables())
def test_hidden_cards_make_no_difference_to_what_anyone_sees_or_chooses(table: Table) -> None:
    """C5, C9: one's own hidden cards no more than those of others."""
    luck = Chance(table.seed, 0, 1)
    for state in some_states(table):
        seats = tuple(one and reshuffled(one, luck) for one in state.seats)
        swapped = replace(state, seats=seats)
        for seat in (None, *every_seat(state)):
            assert_alike(LIGRETTO, swapped, state, seat, table.seed)


@settings(deadline=None, max_examples=30)
@given(table=tables())
def test_nobody_sees_anything_of_anothers_cards_but_how_many_are_left(table: Table) -> None:
    for state in some_states(table):
        for seat in (None, *every_seat(state)):
            stripped = replace(
                state,
                seats=tuple(
                    one if one is None or other == seat else only_counted(one)
                    for other, one in enumerate(state.seats)
                ),
            )
            assert_alike(LIGRETTO, stripped, state, seat, table.seed)


def only_counted(cards: SeatCards) -> SeatCards:
    """A seat with as long a Ligretto pile, and nothing else that is true of it."""
    return SeatCards(row=(), ligretto=deck()[:1] * len(cards.ligretto), hand=(), gone=cards.gone)


@settings(deadline=None, max_examples=30)
@given(table=tables())
def test_what_is_logged_says_where_a_card_lay_and_where_it_went(table: Table) -> None:
    """The log replays by itself: source, pile, column and order, without a seed."""
    for press in islice(random_round(table), 400):
        state = press.before
        for (kind, *where), card in press.logged:
            state = by_log(state, press.seat, str(kind), where, card)
        if press.move is not None:
            assert only_cards(state) == only_cards(press.after)


def by_log(state: State, seat: Seat, kind: str, where: Sequence[object], card: str | None) -> State:
    """One logged move, carried out by its words alone."""
    cards, centre = own(state, seat), state.centre
    match kind, where:
        case "recycle", [tuple(order)]:
            assert not cards.hand
            cards = replace(cards, hand=tuple(map(face, order)), discard=())
        case "flip", []:
            up = cards.discard + cards.hand[:3]
            cards = replace(cards, hand=cards.hand[3:], discard=up)
        case "lay", [str(source), int(column)]:
            assert covers(cards.row[column], face(card), state)
            assert source == "ligretto" or (source == "discard" and state.expert)
            cards = without(cards, source, face(card))
            grown_column = (*cards.row[column], face(card))
            row = (*cards.row[:column], grown_column, *cards.row[column + 1 :])
            cards = replace(cards, row=row)
        case "play", [str(source), pile]:
            cards = without(cards, source, face(card))
            centre = grown(centre, pile, face(card), seat)
        case _:
            raise AssertionError(f"{kind} {where}")
    seats = (*state.seats[:seat], cards, *state.seats[seat + 1 :])
    return replace(state, seats=seats, centre=centre)


def face(word: str | None) -> Card:
    return next(card for card in deck() if str(card).upper() == word)


def without(cards: SeatCards, source: str, card: Card) -> SeatCards:
    """The seat's cards once this one has left the top of its place."""
    if source == "ligretto":
        assert cards.ligretto[0] == card
        return replace(cards, ligretto=cards.ligretto[1:])
    if source == "discard":
        assert cards.discard[-1] == card
        return replace(cards, discard=cards.discard[:-1])
    column = int(source.removeprefix("row"))
    *beneath, top = cards.row[column]
    assert top == card
    return replace(cards, row=(*cards.row[:column], tuple(beneath), *cards.row[column + 1 :]))


def covers(column: Pile, card: Card, state: State) -> bool:
    """C14; X3, X4, X5."""
    if not column:
        return True
    top = column[-1]
    return state.expert and top.value > card.value and top.colour is not card.colour


def grown(
    centre: tuple[CentrePile, ...], pile: object, card: Card, seat: Seat
) -> tuple[CentrePile, ...]:
    """The centre with one card more, which must fit where the log says it went."""
    if pile == "new":
        assert card.value == 1
        return (*centre, CentrePile(card.colour, (seat,)))
    assert isinstance(pile, int)
    old = centre[pile]
    assert (old.colour, len(old.owners)) == (card.colour, card.value - 1)
    return (*centre[:pile], old._replace(owners=(*old.owners, seat)), *centre[pile + 1 :])


def only_cards(state: State) -> State:
    """A state as the log knows it: without counters and without who ended it."""
    seats = tuple(one and replace(one, flips=0, taken_up=0) for one in state.seats)
    return replace(state, seats=seats, stopped_by=None)


# --- Known rounds


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_recorded_round_replays_to_its_end_and_points(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    _, result = replay(text)
    assert text.endswith(result)
    assert "end open" not in result


@pytest.mark.parametrize("name", GOLDEN)
def test_a_recorded_round_is_played_again_by_the_same_computer_players(name: str) -> None:
    """What they choose is part of what must not change unnoticed."""
    assert record(*GOLDEN[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def perft(state: State, depth: int) -> list[int]:
    """The number of legal sequences of 1, 2, ... presses by any seats."""
    states, counts = [state], []
    for number in range(1, depth + 1):
        chance = Chance(bytes(32), 1, number)
        states = [
            outcome.state
            for state in states
            for seat in every_seat(state)
            for move in LIGRETTO.moves(state, seat)
            if isinstance(outcome := LIGRETTO.play(state, seat, move, chance), Played)
        ]
        counts.append(len(states))
    return counts


@pytest.mark.parametrize(
    ("table", "counts"),
    [
        (Table(bytes(range(32)), 1, "xx", "auto"), [3, 9, 26, 72, 192, 496]),
        (Table(bytes(range(1, 33)), 1, "xxx", "hand"), [4, 17, 76, 347, 1587]),
        (Table(bytes(range(32)), 1, "xx", "auto", "expert"), [5, 32, 251, 2178]),
        (Table(bytes(range(1, 33)), 1, "xxx", "auto", "expert"), [8, 74, 743]),
    ],
    ids=["two", "three by hand", "two expert", "three expert"],
)
def test_the_number_of_legal_sequences_is_known(table: Table, counts: list[int]) -> None:
    """Any change of a rule changes a count."""
    assert perft(table.deal(), len(counts)) == counts
