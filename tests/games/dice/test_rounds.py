"""What holds in every round of Ligretto Dice, checked on whole random rounds."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.dice import DICE
from bot.games.dice.handicap import EXTRA, SHARE
from bot.games.dice.model import FACES, Colour, Die, Move, Place, Roll, SeatDice, State
from bot.games.values import Ending, LogMove, Played, Points, Reason, Seat
from bot.i18n import say
from tests.games.dice.board import board, options, own
from tests.games.dice.record import FOLDER, GOLDEN, Table, record, replay
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
    """2 to 4 seats, of whom at least two are dealt in, with or without a handicap."""
    seats = draw(st.sampled_from(DICE.seats))
    sits_out = draw(st.sets(st.integers(0, seats - 1), max_size=seats - 2))
    dealt = "".join("-" if seat in sits_out else "x" for seat in range(seats))
    extra = draw(st.sampled_from([int(value) for value in EXTRA.values]))
    share = st.one_of(st.sampled_from(["even", "child"]), st.sampled_from(SHARE.values))
    shares = " ".join(draw(share) for _ in range(seats))
    assume(DICE.check(options(extra, shares), seats) is None)
    seed = draw(st.binary(min_size=32, max_size=32))
    return Table(seed, draw(st.integers(1, 12)), dealt, extra, shares)


def random_round(table: Table) -> Iterator[Press]:
    """Whoever chance names places his first die that fits, or does anything; seldom he leaves.

    The last of those dealt in stays, as a round without players is stopped by the table.
    """
    state, luck, number = table.deal(), Chance(table.seed, 0, 0), 1
    for _ in range(LONGEST):
        if DICE.ending(state) is not None:
            return
        seat = Seat(luck.below(len(table.dealt)))
        if luck.below(200) == 0 and len(playing(state)) > 1:
            after = DICE.leave(state, seat)
            yield Press(state, seat, None, after)
            state = after
            continue
        legal = list(DICE.moves(state, seat))
        if not legal:
            continue
        move = legal[0] if luck.below(4) else luck.pick(legal)
        outcome = DICE.play(state, seat, move, Chance(table.seed, table.round, number))
        assert isinstance(outcome, Played), f"{seat} {move} was offered and refused"
        yield Press(state, seat, move, outcome.state, outcome.moves)
        state, number = outcome.state, number + len(outcome.moves)


def some_states(table: Table) -> list[State]:
    """The deal, every 11th state, and the last one of a random round."""
    states = [table.deal(), *(press.after for press in random_round(table))]
    return [*states[::11], states[-1]]


def seats_in(state: State) -> list[Seat]:
    return [Seat(seat) for seat, dice in enumerate(state.seats) if dice is not None]


def playing(state: State) -> list[Seat]:
    return [seat for seat in seats_in(state) if not own(state, seat).gone]


def every_seat(state: State) -> list[Seat]:
    return [Seat(seat) for seat in range(len(state.seats))]


def colours(state: State) -> list[tuple[Colour, ...]]:
    """The colours of each seat's dice, by number."""
    return [tuple(die.colour for die in dice.dice) if dice else () for dice in state.seats]


@settings(deadline=None, max_examples=60)
@given(table=tables())
def test_no_die_is_ever_lost_or_changes_hands(table: Table) -> None:
    """D2, D3, D10: at most six of a colour, each seat's for the whole round."""
    dealt = colours(table.deal())
    in_all = Counter(colour for seat in dealt for colour in seat)
    assert all(count <= 6 for count in in_all.values())
    for press in random_round(table):
        assert colours(press.after) == dealt
        for seat in seats_in(press.after):
            if seat != press.seat:
                assert own(press.after, seat) == own(press.before, seat)
            assert all(1 <= die.value <= FACES for die in own(press.after, seat).dice)
            placed = Counter((d.colour, d.value) for d in own(press.after, seat).dice if d.placed)
            assert placed == Counter(
                (row.colour, value)
                for row in press.after.board
                for value, owner in enumerate(row.owners, start=1)
                if owner == seat
            )


@settings(deadline=None, max_examples=60)
@given(table=tables())
def test_every_press_does_what_it_says_and_no_more(table: Table) -> None:
    """D6, D7, D10: a place adds one to its row; a roll leaves the board and placed dice alone."""
    for press in random_round(table):
        for old, new in zip(press.before.board, press.after.board, strict=True):
            grown = isinstance(press.move, Place) and press.move.colour == new.colour
            assert new.colour == old.colour
            assert new.owners == (*old.owners, press.seat) if grown else new == old
            assert len(new.owners) <= FACES
        if press.move is None:
            assert press.logged == ()
            assert list(DICE.moves(press.after, press.seat)) == []
            continue
        before, after = own(press.before, press.seat), own(press.after, press.seat)
        assert len(press.logged) == 1
        changed = [n for n, die in enumerate(before.dice) if after.dice[n] != die]
        if isinstance(press.move, Place):
            assert changed == [press.move.die]
            assert after.dice[press.move.die] == replace(before.dice[press.move.die], placed=True)
            assert after.rolls == before.rolls
            face = f"{press.move.colour}{press.move.value}".upper()
            assert press.logged == ((("place", press.move.die), face),)
        else:
            assert after.rolls == before.rolls + 1
            assert [die for die in after.dice if die.placed] == [d for d in before.dice if d.placed]
            values = tuple(die.value for die in after.dice if not die.placed)
            assert press.logged == ((("reroll", values), None),)


@settings(deadline=None, max_examples=10)
@given(table=tables())
def test_the_same_seed_and_moves_lead_to_the_same_state(table: Table) -> None:
    assert list(random_round(table)) == list(random_round(table))


EVERY_PLACE: list[Move] = [
    Place(colour, value, number)
    for colour in Colour
    for value in range(1, FACES + 1)
    for number in range(24)
]


@settings(deadline=None, max_examples=12)
@given(table=tables())
def test_offered_moves_are_accepted_and_all_others_refused_with_words(table: Table) -> None:
    """D6 to D10: and a refusal changes nothing."""
    states = some_states(table)
    for state in (states[0], states[len(states) // 2], states[-2]):
        if DICE.ending(state) is not None:
            continue
        copy = rebuilt(state)
        for seat in every_seat(state):
            offered = list(DICE.moves(state, seat))
            assert len(set(offered)) == len(offered)
            rolls: list[Move] = [Roll(number) for number in range(LONGEST)]
            accepted = {move for move in [*EVERY_PLACE, *rolls] if accepts(state, seat, move)}
            assert accepted == set(offered)
        assert state == copy


def accepts(state: State, seat: Seat, move: Move) -> bool:
    outcome = DICE.play(state, seat, move, Chance(bytes(32), 1, 1))
    if isinstance(outcome, Played):
        assert outcome.state != state
        assert say(outcome.said, "en")
        return True
    assert outcome.why.startswith("dice.refused.")
    return False


def rebuilt(state: State) -> State:
    """An equal state that shares no seat with the first."""
    return replace(state, seats=tuple(one and replace(one) for one in state.seats))


def test_a_state_is_a_frozen_value_all_the_way_down() -> None:
    state = board(("r1 y3*", "b1"), "y110")
    assert hash(state) == hash(rebuilt(state))
    for value in (state, own(state, Seat(0)), own(state, Seat(0)).dice[0], state.board[0]):
        with pytest.raises(FrozenInstanceError):
            setattr(value, fields(value)[0].name, None)


# --- The end


@settings(deadline=None, max_examples=50)
@given(table=tables())
def test_every_round_ends_with_somebodys_last_die(table: Table) -> None:
    """D11: and not before."""
    presses = list(random_round(table))
    assert len(presses) < LONGEST
    assert all(DICE.ending(press.before) is None for press in presses)
    last = presses[-1]
    assert isinstance(last.move, Place)
    assert DICE.ending(last.after) == Ending(Reason.DICE, last.seat)
    assert [seat for seat in seats_in(last.after) if not own(last.after, seat).left] == [last.seat]
    assert not any(list(DICE.moves(last.after, seat)) for seat in every_seat(last.after))


@settings(deadline=None, max_examples=60)
@given(table=tables())
def test_no_round_gets_stuck(table: Table) -> None:
    """D16: as many places are free in a row as dice of its colour are left, or more.

    So a die left always has a row that is not full, and nothing but the right roll is missing.
    """
    for state in some_states(table):
        for row in state.board:
            dice = [die for seat in seats_in(state) for die in own(state, seat).dice]
            left = sum(die.colour == row.colour and not die.placed for die in dice)
            assert left <= FACES - len(row.owners)
            assert not left or row.wanted is not None
        if DICE.ending(state) is None:
            for seat in playing(state):
                assert Roll(own(state, seat).rolls) in list(DICE.moves(state, seat))


@settings(deadline=None, max_examples=30)
@given(table=tables(), attention=st.floats(0.2, 1))
def test_computer_players_bring_every_round_to_its_end(table: Table, attention: float) -> None:
    """D16: from wherever people have left it, one by one or one alone."""
    states = some_states(table)
    for start in (states[0], states[len(states) // 2]):
        for players in (playing(start), playing(start)[:1]):
            state, luck = start, Chance(table.seed, 0, 2)
            for number in range(4 * LONGEST):
                if DICE.ending(state) is not None:
                    break
                seat = players[number % len(players)]
                move = DICE.choose(DICE.view(state, seat), Skill(1, attention), luck)
                assert move is not None
                outcome = DICE.play(state, seat, move, Chance(table.seed, 99, number))
                assert isinstance(outcome, Played), f"{move}: {outcome}"
                state = outcome.state
            assert DICE.ending(state) is not None


def test_an_attentive_computer_player_places_what_fits_before_it_rolls() -> None:
    state = board(("r6 y2 b1 | rolls 3", "g1", "-", "r1 | gone"), "y1")
    chosen = [
        DICE.choose(DICE.view(state, Seat(seat)), Skill(1, 1), Chance(bytes(32), 0, 0))
        for seat in range(4)
    ]
    assert [move and str(move) for move in chosen] == ["y2#1", "g1#0", None, None]
    blind = DICE.choose(DICE.view(state, Seat(0)), Skill(1, 0), Chance(bytes(32), 0, 0))
    assert str(blind) == "roll:3"


@settings(deadline=None, max_examples=60)
@given(table=tables())
def test_the_points_of_a_round_sum_to_nothing(table: Table) -> None:
    """D12, D13, D17: at its end; stopped before, nobody has any."""
    for state in some_states(table):
        points = DICE.scores(state)
        left = [own(state, s).left if s in seats_in(state) else 0 for s in every_seat(state)]
        assert [count or 0 for count in DICE.left(state)] == left
        ending = DICE.ending(state)
        if ending is None:
            assert points == (Points(0, 0),) * len(state.seats)
            continue
        assert ending.by is not None
        assert points[ending.by] == Points(sum(left), 0)
        assert all(p.plus == 0 for seat, p in enumerate(points) if seat != ending.by)
        assert [p.minus for p in points] == left
        assert sum(p.net for p in points) == 0


# --- What may be seen


def other_dice(dice: SeatDice, luck: Chance) -> SeatDice:
    """As many dice left, in any colours and with any numbers, rolled any number of times."""
    changed = tuple(
        Die(luck.pick(tuple(Colour)), 1 + luck.below(FACES), placed=die.placed)
        for die in luck.shuffled(dice.dice)
    )
    return replace(dice, dice=changed, rolls=luck.below(100))


@settings(deadline=None, max_examples=50)
@given(table=tables())
def test_nobody_sees_anything_of_anothers_dice_but_how_many_are_left(table: Table) -> None:
    luck = Chance(table.seed, 0, 1)
    for state in some_states(table):
        for seat in (None, *every_seat(state)):
            swapped = replace(
                state,
                seats=tuple(
                    one if one is None or other == seat else other_dice(one, luck)
                    for other, one in enumerate(state.seats)
                ),
            )
            assert_alike(DICE, swapped, state, seat, table.seed)


@settings(deadline=None, max_examples=50)
@given(table=tables())
def test_the_public_view_shows_no_dice_and_a_players_view_his_own(table: Table) -> None:
    for state in some_states(table):
        public = DICE.view(state, None)
        assert public.own is None
        assert public.board == tuple((row.colour, row.owners) for row in state.board)
        assert public.left == DICE.left(state)
        for seat in every_seat(state):
            seen = DICE.view(state, seat)
            assert replace(seen, own=None) == public
            if seat not in playing(state):
                assert seen.own is None
                continue
            assert seen.own is not None
            assert seen.own.dice == own(state, seat).dice
            assert seen.own.left == own(state, seat).left
            if DICE.ending(state) is None:
                fitting = [n for n, die in enumerate(seen.own.dice) if seen.fits(die)]
                places = [m.die for m in DICE.moves(state, seat) if isinstance(m, Place)]
                assert fitting == places


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


def test_a_recorded_round_tells_a_move_that_is_refused() -> None:
    text = (FOLDER / "two_with_a_child.txt").read_text(encoding="utf-8")
    first = next(line for line in text.splitlines()[5:] if "#" in line)
    with pytest.raises(AssertionError, match=r"dice\.refused\.placed_already"):
        replay(text.replace(first, f"{first}\n{first}", 1))
