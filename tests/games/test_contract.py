"""What every game promises, checked on random rounds. A new game is covered by being listed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.contract import AnyGame, Frame, Skill
from bot.games.values import Played, Refused, Seat
from bot.i18n import say
from bot.screen import Choice, Pick, Row, Sentence
from bot.tables.state import actions
from bot.text import Text
from tests.games.changed import changed
from tests.games.numbers import NUMBERS, installed


def variants(game: AnyGame) -> dict[str, AnyGame]:
    """The game with each of its variants as the only one there is."""
    option = next((option for option in game.options if option.key == "variant"), None)
    if option is None:
        return {game.key: game}
    return {
        f"{game.key} {value}": changed(
            game,
            options=tuple(
                replace(one, values=(value,), default=value) if one is option else one
                for one in game.options
            ),
        )
        for value in option.values
    }


ALL = [*GAMES.values(), NUMBERS]
VARIANTS = {name: one for game in ALL for name, one in variants(game).items()}

every_game = pytest.mark.parametrize("game", VARIANTS.values(), ids=VARIANTS.keys())


@pytest.fixture(scope="module", autouse=True)
def words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Words for the third game."""
    with installed(tmp_path_factory.mktemp("locale")):
        yield


LONGEST = 250
NOTE = Sentence(Text("table.live"))
LONGEST_PREFIX = f"lg1:{10**15 - 1}:{10**6 - 1}:"


@dataclass(frozen=True, slots=True)
class Start:
    """A table as Hypothesis draws it."""

    seed: bytes
    dealt: tuple[bool, ...]
    options: tuple[int, ...]

    def deal(self, game: AnyGame) -> Any:
        dealt = (*self.dealt, True, True)[-max(game.seats) :]
        options = {
            option.key: option.values[choice % len(option.values)]
            for option, choice in zip(game.options, self.options, strict=False)
        }
        return game.deal(dealt, options, Chance(self.seed, 1, 0))


starts = st.builds(
    Start,
    st.binary(min_size=32, max_size=32),
    st.lists(st.booleans(), max_size=10).map(tuple),
    st.tuples(*[st.integers(0, 24)] * 8),
)
skills = st.builds(Skill, st.floats(0.1, 10), st.floats(0, 1))


@dataclass(frozen=True, slots=True)
class Press:
    before: Any
    seat: Seat
    move: Any
    played: Played[Any]


def random_round(game: AnyGame, start: Start) -> Iterator[Press]:
    """Each press of a random round, as long as it goes on."""
    state, luck, number = start.deal(game), Chance(start.seed, 0, 0), 1
    seats = every_seat(game, state)
    for _ in range(LONGEST):
        if game.ending(state) is not None:
            return
        seat = luck.pick(seats)
        if legal := list(game.moves(state, seat)):
            move = legal[0] if luck.below(3) else luck.pick(legal)
            played = game.play(state, seat, move, Chance(start.seed, 1, number))
            assert isinstance(played, Played), f"{seat} {move} was offered and refused"
            yield Press(state, seat, move, played)
            state, number = played.state, number + len(played.moves)


def every_seat(game: AnyGame, state: Any) -> list[Seat]:
    return [Seat(seat) for seat in range(len(game.scores(state)))]


def test_games_are_listed_by_their_keys() -> None:
    assert GAMES
    assert all(game.key == key and key.isidentifier() for key, game in GAMES.items())


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_every_option_fits_a_menu_and_has_its_default_among_its_values(game: AnyGame) -> None:
    keys = [option.key for option in game.options]
    assert len(set(keys)) == len(keys)
    for option in game.options:
        assert option.default in option.values
        assert 2 <= len(set(option.values)) == len(option.values) <= 25


@every_game
@settings(deadline=None, max_examples=20)
@given(start=starts)
def test_a_move_reads_back_from_its_notation_and_fits_a_button(game: AnyGame, start: Start) -> None:
    """A custom id has at most 100 characters, the journal's moves are plain ASCII, and no button
    of a table has the text of a move.
    """
    for press in random_round(game, start):
        for seat in every_seat(game, press.before):
            for move in game.moves(press.before, seat):
                assert game.parse(str(move)) == move
                assert actions.parse(str(move)) == actions.Move(str(move))
                assert str(move).isascii()
                assert str(move).isprintable()
                assert len(LONGEST_PREFIX + str(move)) <= 100


@every_game
@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=20))
def test_a_forged_notation_is_refused_or_is_the_notation_of_its_move(
    game: AnyGame, text: str
) -> None:
    try:
        move = game.parse(text)
    except ValueError:
        return
    assert str(move) == text


@every_game
@settings(deadline=None, max_examples=15)
@given(start=starts)
def test_the_same_seed_and_moves_lead_to_the_same_state(game: AnyGame, start: Start) -> None:
    presses = list(random_round(game, start))
    state, number = start.deal(game), 1
    for press in presses:
        assert state == press.before
        move = game.parse(str(press.move))
        played = game.play(state, press.seat, move, Chance(start.seed, 1, number))
        assert played == press.played
        state, number = played.state, number + len(played.moves)


@every_game
@settings(deadline=None, max_examples=30)
@given(start=starts, skill=skills)
def test_computer_players_only_make_legal_moves(game: AnyGame, start: Start, skill: Skill) -> None:
    state, luck, number = start.deal(game), Chance(start.seed, 0, 0), 1
    seats = every_seat(game, state)
    for _ in range(LONGEST):
        if game.ending(state) is not None:
            return
        seat = luck.pick(seats)
        move = game.choose(game.view(state, seat), skill, luck)
        if move is None:
            continue
        assert move in list(game.moves(state, seat))
        played = game.play(state, seat, move, Chance(start.seed, 1, number))
        assert isinstance(played, Played)
        state, number = played.state, number + len(played.moves)


@every_game
@settings(deadline=None, max_examples=15)
@given(start=starts)
def test_a_computer_player_that_notices_everything_waits_only_when_stuck(
    game: AnyGame, start: Start
) -> None:
    """Else a table of computer players could stand still."""
    sharp = Skill(pace=1, attention=1)
    for press in random_round(game, start):
        move = game.choose(game.view(press.before, press.seat), sharp, Chance(start.seed, 0, 1))
        assert move is not None


@every_game
@settings(deadline=None, max_examples=15)
@given(start=starts)
def test_the_public_sees_the_centre_and_nobodys_cards(game: AnyGame, start: Start) -> None:
    """Its view has no buttons, and a computer player that sees no more has nothing to do."""
    for press in random_round(game, start):
        public = game.view(press.before, None)
        assert not choices(game, public)
        assert game.choose(public, Skill(pace=1, attention=1), Chance(start.seed, 0, 1)) is None
        assert game.centre(public) == game.centre(game.view(press.before, press.seat))


@every_game
@settings(deadline=None, max_examples=15)
@given(start=starts)
def test_who_can_do_something_finds_a_button_for_it_and_no_word_twice(
    game: AnyGame, start: Start
) -> None:
    """Discord takes no message in which two buttons have the same custom id. What takes two
    presses is found by them, and back again. Looked at are whoever presses and the next one.
    """
    for press in random_round(game, start):
        seats = every_seat(game, press.before)
        for seat in (press.seat, seats[(press.seat + 1) % len(seats)]):
            view, offered = (
                game.view(press.before, seat),
                set(map(str, game.moves(press.before, seat))),
            )
            words = [choice.word for choice in choices(game, view)]
            halves = [word for word in words if game.half(press.before, seat, word) is not None]
            found = set[str]()
            for half in (None, *halves):
                shown = choices(game, view, half)
                words = [choice.word for choice in shown]
                assert len(set(words)) == len(words)
                assert (half is not None) == ("panel" in words)
                for choice in shown:
                    assert say(choice.label, "en")
                    assert choice.off or _is_ours(game, press.before, seat, choice.word)
                    assert not (choice.off and choice.word in offered)
                found |= {choice.word for choice in shown}
            assert bool(offered) <= bool(found & offered)
            if halves:
                assert offered <= found


def _is_ours(game: AnyGame, state: Any, seat: Seat, word: str) -> bool:
    """A move, a half of one that asks for the other half, or the way back from there."""
    if word == "panel" or isinstance(game.half(state, seat, word), Text):
        return True
    return bool(game.parse(word))


def choices(game: AnyGame, view: Any, half: str | None = None) -> list[Choice]:
    blocks = game.panel(view, Frame(NOTE, NOTE, half))
    assert not any(isinstance(block, Pick) for block in blocks)
    return [choice for block in blocks if isinstance(block, Row) for choice in block.choices]


@every_game
@settings(deadline=None, max_examples=15)
@given(start=starts)
def test_a_move_is_written_by_the_place_that_it_is_then_logged_with(
    game: AnyGame, start: Start
) -> None:
    """Had it been refused: the same kind, source and card, as they lay in the state shown."""
    for press in random_round(game, start):
        written = game.written(press.before, press.seat, press.move)
        assert written is not None
        words, card = written
        assert any(
            logged[: len(words)] == words and meant == card for logged, meant in press.played.moves
        )
        assert say(press.played.said, "en")


@every_game
@settings(deadline=None, max_examples=15)
@given(start=starts)
def test_others_see_only_the_place_a_move_takes_and_what_is_left(
    game: AnyGame, start: Start
) -> None:
    for press in random_round(game, start):
        before, after = press.before, press.played.state
        if game.view(before, None) != game.view(after, None):
            takes_a_place = game.claim(press.move) is not None
            assert takes_a_place or game.left(before) != game.left(after)


@every_game
@settings(deadline=None, max_examples=15)
@given(start=starts)
def test_what_a_claim_takes_from_another_is_refused_as_no_fit(game: AnyGame, start: Start) -> None:
    """A press that was good when its button was drawn loses for no other reason."""
    for press in random_round(game, start):
        claim = game.claim(press.move)
        for other in every_seat(game, press.before):
            if other == press.seat or game.ending(press.played.state) is not None:
                continue
            for move in game.moves(press.before, other):
                outcome = game.play(press.played.state, other, move, Chance(start.seed, 1, 0))
                if isinstance(outcome, Played):
                    continue
                assert (outcome.why, game.claim(move)) == (game.no_fit, claim)
                assert claim is not None
                assert not game.lapsed(outcome)
                assert say(outcome.text, "en")


@every_game
@settings(deadline=None, max_examples=15)
@given(start=starts, when=st.integers(0, 100))
def test_a_seat_that_leaves_is_out_and_its_points_stay(
    game: AnyGame, start: Start, when: int
) -> None:
    for number, press in enumerate(random_round(game, start)):
        if number != when:
            continue
        gone = game.leave(press.before, press.seat)
        assert game.scores(gone) == game.scores(press.before)
        assert game.left(gone) == game.left(press.before)
        assert list(game.moves(gone, press.seat)) == []
        assert not choices(game, game.view(gone, press.seat))
        refused = game.play(gone, press.seat, press.move, Chance(start.seed, 1, 0))
        assert isinstance(refused, Refused)
        assert game.leave(gone, press.seat) == gone
