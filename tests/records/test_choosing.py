"""Whoever can read the seed knows what is dealt. What they do after Start changes nobody's deal."""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from random import Random
from statistics import mean, stdev

import pytest

from bot.games import GAMES
from bot.games.chance_scheme import Scheme
from bot.games.dice import DICE
from bot.games.dice.model import SeatDice
from bot.games.ligretto.model import SeatCards
from bot.games.values import Played, Reason, Seat
from bot.ids import GuildId, UserId
from bot.tables.state import events as e
from bot.tables.state import match_seed
from bot.tables.state.evolve import apply, begin
from bot.tables.state.session import Session
from tests.games.states import dice_state, seat_cards, seat_dice
from tests.records.played import DEFAULTS
from tests.records.test_grinding import CHANNEL, message_id

SECOND_ACCOUNTS = (UserId(0), UserId(1), UserId(2))
"""The operator's, in the seats before their own."""
OPERATOR, OTHER = UserId(3), UserId(4)
EVERYBODY = (*SECOND_ACCOUNTS, OPERATOR, OTHER)
MATCHES = 100
WORTH_IT = 0.7
"""Standard deviations of a deal that whoever chose among such deals would gain."""
LEFT = 0.25
"""What the sizes leave: they go by the seats dealt in."""


def seated(game: str, users: Iterable[UserId], luck: Random, scheme: Scheme) -> Session:
    """A match that has begun: its seed is fixed, and known to who can read the database."""
    rules = GAMES[game].rules_version
    opened = e.Opened(game, rules, GuildId(77), CHANNEL, EVERYBODY[0], "en", dict(DEFAULTS[game]))
    entries: list[e.Entry] = [
        e.Promised(luck.randbytes(32).hex(), scheme),
        *(e.Seated(user, f"user {user}") for user in users),
        e.Started(),
        e.Published(CHANNEL, message_id(luck)),
    ]
    return after(begin(opened, 0), entries)


def after(session: Session, entries: Iterable[e.Entry]) -> Session:
    for entry in entries:
        session = apply(session, entry, 0)
    return session


def first_round(session: Session, staying: Sequence[int]) -> Session:
    """Dealt to these users; the others have left before, or were not ready."""
    gone = [seat for seat, chair in enumerate(session.chairs) if chair.user not in staying]
    entries: list[e.Entry] = [*map(e.Unseated, reversed(gone)), e.Dealt((True,) * len(staying))]
    return after(session, entries)


def second_round(session: Session, staying: Sequence[int]) -> Session:
    """Dealt to these users; the others sit it out."""
    dealt = tuple(chair.user in staying for chair in session.chairs)
    return after(once_played(session), [e.Dealt(dealt)])


PLAYED: list[Session] = []
"""A match that has begun, and the same after its first round: it is chosen from again and again."""


def once_played(session: Session) -> Session:
    """After a round in which everybody played."""
    if not PLAYED or PLAYED[0] is not session:
        count = len(session.chairs)
        over = e.RoundEnded(Reason.DEAD, None, (0,) * count, (0,) * count)
        PLAYED[:] = session, after(session, [e.Dealt((True,) * count), over])
    return PLAYED[1]


BEGINNINGS = pytest.mark.parametrize("begun", [first_round, second_round])
CHOICES = [
    (*kept, OPERATOR, OTHER)
    for kept in chain.from_iterable(
        combinations(SECOND_ACCOUNTS, number) for number in range(len(SECOND_ACCOUNTS), -1, -1)
    )
]
"""Who plays: all of them first, as it would be without a choice."""


def own(session: Session, user: int) -> SeatCards:
    (seat,) = (seat for seat, chair in enumerate(session.chairs) if chair.user == user)
    return seat_cards(session, seat)


def dice(session: Session, user: int) -> SeatDice:
    (seat,) = (seat for seat, chair in enumerate(session.chairs) if chair.user == user)
    return seat_dice(session, seat)


def deck(session: Session, user: int) -> list[str]:
    """In the order in which it was dealt."""
    cards = own(session, user)
    row = [card for column in cards.row for card in column]
    return [str(card) for card in (*row, *cards.ligretto, *cards.hand)]


def burden(session: Session, user: int) -> float:
    """The mean of what this player has to get rid of: the lower, the better."""
    cards = own(session, user)
    return mean(card.value for card in (*chain(*cards.row), *cards.ligretto))


def gained(begun: object, scheme: Scheme) -> float:
    """What the best of these deals is better than the first, in standard deviations of a deal."""
    assert callable(begun)
    luck = Random(1)
    usual, chosen = list[float](), list[float]()
    for _ in range(MATCHES):
        session = seated("ligretto", EVERYBODY, luck, scheme)
        deals = [begun(session, users) for users in CHOICES]
        better = [burden(deal, OTHER) - burden(deal, OPERATOR) for deal in deals]
        usual.append(better[0])
        chosen.append(max(better))
    return (mean(chosen) - mean(usual)) / stdev(usual)


@BEGINNINGS
def test_who_plays_changes_nobody_elses_deck(begun: object) -> None:
    assert callable(begun)
    session = seated("ligretto", EVERYBODY, Random(2), Scheme.OWN)
    deals = [begun(session, users) for users in CHOICES]
    for user in (OPERATOR, OTHER):
        assert len({tuple(deck(deal, user)) for deal in deals}) == 1


@BEGINNINGS
def test_a_choice_of_who_plays_is_worth_little(begun: object) -> None:
    assert gained(begun, Scheme.COMMON) > WORTH_IT, "as matches of the first scheme were"
    assert gained(begun, Scheme.OWN) < LEFT


@BEGINNINGS
def test_who_plays_takes_no_die_from_anybody(begun: object) -> None:
    """Who is left gets more dice; the ones they had stay, and show the same."""
    assert callable(begun)
    players = (UserId(0), UserId(1), OPERATOR, OTHER)
    session = seated("dice", players, Random(3), Scheme.OWN)
    full = begun(session, players)
    for staying in ((0, OPERATOR, OTHER), (1, OPERATOR, OTHER), (OPERATOR, OTHER)):
        fewer = begun(session, staying)
        for user in (OPERATOR, OTHER):
            had = dice(full, user).dice
            assert dice(fewer, user).dice[: len(had)] == had
            assert len(dice(fewer, user).dice) > len(had)


def pressed(session: Session, word: str, user: int) -> Session:
    (seat,) = (seat for seat, chair in enumerate(session.chairs) if chair.user == user)
    return after(session, [e.Moved(seat, word)])


@pytest.mark.parametrize("scheme", Scheme)
def test_a_roll_is_the_same_whenever_it_is_made(scheme: Scheme) -> None:
    """Else whoever knows the seed waits for the moment at which it is best."""
    session = first_round(seated("dice", (OPERATOR, OTHER), Random(4), scheme), (OPERATOR, OTHER))
    rolled = set()
    for _ in range(8):
        rolled.add(dice(pressed(session, "roll:0", OPERATOR), OPERATOR).dice)
        session = pressed(session, f"roll:{dice(session, OTHER).rolls}", OTHER)
    assert len(rolled) == (8 if scheme is Scheme.COMMON else 1)


def test_placing_a_die_first_changes_no_number_of_a_roll() -> None:
    luck = Random(5)
    for _ in range(20):
        session = seated("dice", (OPERATOR, OTHER), luck, Scheme.OWN)
        session = first_round(session, (OPERATOR, OTHER))
        moves = [move for move in DICE.moves(dice_state(session), Seat(0)) if DICE.claim(move)]
        rolled = dice(pressed(session, "roll:0", OPERATOR), OPERATOR).dice
        for move in moves:
            then = pressed(pressed(session, str(move), OPERATOR), "roll:0", OPERATOR)
            left = [i for i, die in enumerate(dice(then, OPERATOR).dice) if not die.placed]
            assert [dice(then, OPERATOR).dice[i] for i in left] == [rolled[i] for i in left]


@pytest.mark.parametrize("scheme", Scheme)
def test_a_pile_is_shuffled_the_same_whenever_it_is_taken_up(scheme: Scheme) -> None:
    users = (OPERATOR, OTHER)
    session = first_round(seated("ligretto", users, Random(6), scheme), users)
    while own(session, OPERATOR).hand:
        session = pressed(session, f"flip:{own(session, OPERATOR).flips}", OPERATOR)
    taken = set()
    for _ in range(3):
        flips = own(session, OPERATOR).flips
        taken.add(tuple(deck(pressed(session, f"flip:{flips}", OPERATOR), OPERATOR)))
        session = pressed(session, f"flip:{own(session, OTHER).flips}", OTHER)
    assert len(taken) == (3 if scheme is Scheme.COMMON else 1)


def test_every_deal_roll_and_pile_is_another() -> None:
    """Seats, rounds and times each have numbers of their own."""
    luck = Random(7)
    session = seated("dice", (OPERATOR, OTHER), luck, Scheme.OWN)
    seen = set()
    for begun in (first_round, second_round):
        dealt = begun(session, (OPERATOR, OTHER))
        for user in (OPERATOR, OTHER):
            for time in range(3):
                seen.add(tuple(die.value for die in dice(dealt, user).dice))
                dealt = pressed(dealt, f"roll:{time}", user)
    assert len(seen) == 12


def test_what_was_played_is_what_the_rules_would_play_again() -> None:
    """The stream is the session's: a decision and its entry draw the same."""
    users = (OPERATOR, OTHER)
    session = first_round(seated("dice", users, Random(8), Scheme.OWN), users)
    move = DICE.parse("roll:0")
    played = DICE.play(dice_state(session), Seat(1), move, match_seed.next_chance(session))
    assert isinstance(played, Played)
    assert played.state == pressed(session, "roll:0", OTHER).state
