"""What a match counts for: the table's message, the history, statistics and boards agree."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from bot.games.values import Refused
from bot.ids import MessageId, UserId
from bot.records.models import History, MatchDetails, Order, Person, Wanted
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.text import Name
from bot.ui.records.card import Card, card_screen
from bot.ui.records.match_pages import history_screen, match_screen
from bot.ui.toolkit.player_names import Names
from tests.records.played import GUILD, PlayedMatches
from tests.store.conftest import Store, opened
from tests.tables.starting import publish
from tests.tables.test_screens import words
from tests.tables.unowned import new_tables
from tests.tables.views import public

ANNA, BEN, CEM = UserId(101), UserId(102), UserId(103)
PRACTICE = "practice: no rating, no leaderboard"
FORFEITED = "Everyone else left during a round, so it’s rated too."
TOO_SHORT = "Too short for the leaderboard, but finished rounds are rated."


@dataclass(frozen=True)
class Recorded:
    played: PlayedMatches
    store: Store

    async def details(self, table: Table) -> MatchDetails:
        found = await self.store.archive.match_of_table(GUILD, table.id)
        assert found is not None
        return found

    async def told(self, table: Table) -> tuple[list[str], list[str]]:
        """What the end of a match says, and what the history says of it."""
        history = match_screen(await self.details(table), 0, 0, NAMES)
        return words(public(table.session, 0)), words(history)

    async def wins(self, game: str) -> dict[int | None, int]:
        """By user, of everybody on the leaderboard."""
        leaderboard = await self.store.archive.leaderboard(Wanted(GUILD, game, Order.WINS), ANNA)
        return {row.person.user: row.wins for row in leaderboard.rows}

    async def practised(self, game: str) -> list[int]:
        """How many matches Anna's and Ben's statistics name as practice."""
        users = (ANNA, BEN)
        return [(await self.store.archive.stats(GUILD, one, game)).practice for one in users]

    async def rated_rounds(self) -> int:
        found = await self.store.one("SELECT json_array_length(rated_rounds) FROM matches")
        assert isinstance(found, int)
        return found


class _Named(Names):
    def __init__(self) -> None:
        super().__init__({}, "en-US")

    def of(self, person: Person, width: int = 16, *, champion: bool = False) -> Name:
        return Name(f"user {person.user}", width, champion)


NAMES = _Named()


@pytest.fixture
async def recorded(tmp_path: Path) -> AsyncIterator[Recorded]:
    async with opened(tmp_path / "night.sqlite3") as store:
        yield Recorded(PlayedMatches(store.journal, seed=3), store)


async def rounds(recorded: Recorded, table: Table, number: int) -> None:
    for _ in range(number):
        await recorded.played.begin(table)
        await recorded.played.play(table)


async def to_the_end(recorded: Recorded, table: Table) -> None:
    await recorded.played.play_all(table)


def said_in_both(told: tuple[list[str], list[str]], line: str) -> bool:
    at_the_end, later = (line in "\n".join(one) for one in told)
    assert at_the_end == later, f"only one of two says it: {line}"
    return at_the_end


# -- dice that are not shared evenly ----------------------------------------------------------


async def uneven(recorded: Recorded, *users: UserId, dice: str = "22") -> Table:
    table = await recorded.played.sit("dice", users, options={"rounds": "3"})
    chosen = partial(lobby.set_seat_option, user=ANNA, seat=1, key="dice", value=dice)
    assert not isinstance(await table.do(chosen), Refused)
    return table


async def test_uneven_dice_rate_nobody_and_win_nothing(recorded: Recorded) -> None:
    """Whoever has 2 dice of 24 always wins: a sure 1400 lost to 1749 within eight matches."""
    table = await uneven(recorded, ANNA, BEN)
    in_lobby = words(public(table.session, 0))
    assert f"Uneven dice, so it’s {PRACTICE}." in in_lobby
    assert "no handicap" not in "\n".join(in_lobby)
    await to_the_end(recorded, table)
    told = await recorded.told(table)
    assert said_in_both(told, f"Uneven dice, so it’s {PRACTICE}.")
    assert not said_in_both(told, TOO_SHORT)
    assert await recorded.rated_rounds() == 0
    assert await recorded.wins("dice") == {}
    assert await recorded.practised("dice") == [1, 1]


async def test_dice_that_get_uneven_when_somebody_sits_out_are_practice(recorded: Recorded) -> None:
    """Eight dice of 24 are a third for three, and too few for two: nobody picks at the end of a
    match whether it counts.
    """
    table = await uneven(recorded, ANNA, BEN, CEM, dice="8")
    assert f"Uneven dice, so it’s {PRACTICE}." in words(public(table.session, 0))
    await to_the_end(recorded, table)
    assert await recorded.rated_rounds() == 0
    log = await recorded.store.archive.match_log(GUILD, 1, "?")
    assert log is not None
    assert '"handicap":true' in log.partition("\n")[0], "the deals don't tell it"


async def test_the_same_choice_for_all_is_no_handicap(recorded: Recorded) -> None:
    table = await uneven(recorded, ANNA, BEN, dice="12")
    assert PRACTICE not in "\n".join(words(public(table.session, 0)))
    await to_the_end(recorded, table)
    assert await recorded.rated_rounds() > 0


# -- an opponent that never was ---------------------------------------------------------------


async def left_in_the_count(recorded: Recorded, game: str) -> Table:
    """Ben gets ready and leaves before the first round is live; Anna plays on with a computer."""
    played = recorded.played
    table = await played.sit(game, (ANNA, BEN), computers=1, options={"rounds": "3"})
    secret = played.luck.randbytes(32)
    await table.do(partial(lobby.start, user=ANNA, seed=secret))
    await publish(table, MessageId(12))
    for user in (ANNA, BEN):
        await played.press(table, user, "ready")
    assert table.session.phase is Phase.COUNT
    await played.press(table, BEN, "leave.yes")
    played.pass_time(3)
    await table.do(d.go_live)
    await played.play(table)
    await to_the_end(recorded, table)
    return table


@pytest.mark.parametrize("game", ["ligretto", "dice"])
async def test_nobody_wins_a_match_without_an_opponent(recorded: Recorded, game: str) -> None:
    table = await left_in_the_count(recorded, game)
    assert len(table.session.history) == 3
    told = await recorded.told(table)
    assert said_in_both(told, f"No round had two people in it, so it’s {PRACTICE}.")
    assert await recorded.wins(game) == {}
    assert await recorded.practised(game) == [1, 1]


async def test_who_sits_out_later_rounds_has_lost_them(recorded: Recorded) -> None:
    """One round with both of them is enough."""
    played = recorded.played
    table = await played.sit("ligretto", (ANNA, BEN), computers=1)
    await rounds(recorded, table, 1)
    while table.session.phase is not Phase.OVER:
        await played.begin(table, without=(BEN,))
        await played.play(table)
    assert not said_in_both(await recorded.told(table), PRACTICE)
    assert set(await recorded.wins("ligretto")) == {ANNA, BEN}


# -- who leaves -------------------------------------------------------------------------------


@pytest.mark.parametrize("computers", [0, 1])
async def test_a_loss_is_not_escaped_by_leaving(recorded: Recorded, computers: int) -> None:
    played = recorded.played
    table = await played.sit("ligretto", (ANNA, BEN), computers=computers)
    await rounds(recorded, table, 2)
    await played.press(table, BEN, "leave.yes")
    await to_the_end(recorded, table)
    told = await recorded.told(table)
    assert not said_in_both(told, TOO_SHORT)
    assert not said_in_both(told, PRACTICE)
    wins = await recorded.wins("ligretto")
    assert set(wins) == {ANNA, BEN}
    assert wins[BEN] == 0
    seats = (await recorded.details(table)).match.seats
    places = {one.person.user: one.place for one in seats if one.person}
    assert places[BEN] > places[ANNA]


async def test_a_restart_does_not_forget_that_two_people_have_met(recorded: Recorded) -> None:
    """The moves of a finished round are not read again."""
    played = recorded.played
    table = await played.sit("ligretto", (ANNA, BEN))
    await rounds(recorded, table, 1)
    played.tables = new_tables(recorded.store.journal, played.clock, seed=lambda: bytes(32))
    stored, number = await recorded.store.journal.read_open(), 99
    await played.tables.resume(stored, number)
    (again,) = played.tables.index
    await played.press(again, BEN, "leave.yes")
    assert again.session.phase is Phase.OVER
    assert await recorded.wins("ligretto") == {ANNA: 1, BEN: 0}


async def test_the_last_to_leave_takes_no_loss_back(recorded: Recorded) -> None:
    """Ben leaves behind, Anna leaves the computer to itself: the match counts, and it has won."""
    played = recorded.played
    table = await played.sit("ligretto", (ANNA, BEN), computers=1)
    await rounds(recorded, table, 1)
    for user in (BEN, ANNA):
        await played.press(table, user, "leave.yes")
    assert table.session.phase is Phase.OVER
    assert not said_in_both(await recorded.told(table), TOO_SHORT)
    assert await recorded.wins("ligretto") == {ANNA: 0, BEN: 0}


async def test_a_dice_round_that_is_left_is_lost(recorded: Recorded) -> None:
    """The first one of six: it counts for nothing, but whoever left it has lost the match."""
    played = recorded.played
    table = await played.sit("dice", (ANNA, BEN))
    await played.begin(table)
    await played.play(table, presses=5)
    await played.press(table, BEN, "leave.yes")
    told = await recorded.told(table)
    assert told[0][0] == "FLAG user 101 wins: user 102 left"
    assert "Nobody" not in "\n".join(told[1])
    assert said_in_both(told, FORFEITED)
    assert not said_in_both(told, TOO_SHORT)
    assert await recorded.wins("dice") == {ANNA: 1, BEN: 0}
    assert await recorded.rated_rounds() == 1


async def test_a_card_round_that_is_left_says_that_it_is_rated(recorded: Recorded) -> None:
    played = recorded.played
    table = await played.sit("ligretto", (ANNA, BEN))
    await played.begin(table)
    await played.play(table, presses=20)
    await played.press(table, BEN, "leave.yes")
    assert said_in_both(await recorded.told(table), FORFEITED)
    assert await recorded.rated_rounds() == 1


async def test_a_match_agreed_to_be_short_stays_practice_whoever_leaves(recorded: Recorded) -> None:
    played = recorded.played
    table = await played.sit("ligretto", (ANNA, BEN), options={"rounds": "2"})
    short = f"Fewer than three rounds, so it’s {PRACTICE}."
    assert short in words(public(table.session, 0)), "two people are warned in the lobby"
    await played.begin(table)
    await played.play(table, presses=20)
    await played.press(table, BEN, "leave.yes")
    told = await recorded.told(table)
    assert said_in_both(told, short)
    assert not said_in_both(told, FORFEITED)
    assert await recorded.wins("ligretto") == {}


async def test_a_match_that_is_closed_is_too_short(recorded: Recorded) -> None:
    table = await recorded.played.sit("ligretto", (ANNA, BEN))
    await rounds(recorded, table, 1)
    await recorded.played.tables.close(table, "table.closed.moderator")
    assert said_in_both(await recorded.told(table), TOO_SHORT)
    assert await recorded.wins("ligretto") == {}


async def test_nobody_wins_a_match_that_all_have_abandoned(recorded: Recorded) -> None:
    """They were away for so long that the table gave up; nobody left before the others."""
    table = await recorded.played.sit("dice", (ANNA, BEN))
    await recorded.played.begin(table)
    await recorded.played.play(table, presses=3)
    await table.do(d.abandon)
    assert table.session.phase is Phase.OVER
    assert (await recorded.details(table)).match.standing == "dropped"
    assert await recorded.wins("dice") == {}


@pytest.mark.parametrize("computers", [0, 1])
async def test_an_abandoned_match_has_no_winner_anywhere(
    recorded: Recorded, computers: int
) -> None:
    """Its first round was played and rated: it is no practice, and neither crown nor medal is
    anybody's, whether or not a robot stayed.
    """
    table = await recorded.played.sit("ligretto", (ANNA, BEN), computers=computers)
    await rounds(recorded, table, 1)
    await table.do(d.abandon)
    told = await recorded.told(table)
    assert said_in_both(told, TOO_SHORT)
    details = await recorded.details(table)
    page = words(history_screen(History((details.match,), 0, 1), [details], NAMES))
    for lines in (*told, page):
        assert not re.search("CROWN|GOLD|SILVER|BRONZE|FLAG .* with", "\n".join(lines)), lines
    assert "Everyone was away, so nobody won." in page
    assert "Everyone was away, so nobody won." in told[1]
    assert not any(seat.won for seat in details.match.seats)
    assert await recorded.rated_rounds() == 1
    assert await recorded.practised("ligretto") == [0, 0]
    for user in (ANNA, BEN):
        assert await recorded.store.archive.personal_bests(GUILD, user, "ligretto") == ()


@pytest.mark.parametrize("way", ["closed", "abandoned"])
async def test_a_rated_match_is_never_practice(recorded: Recorded, way: str) -> None:
    """Whoever never practised has no Practice button, and such a match sets no best in practice."""
    table = await recorded.played.sit("ligretto", (ANNA, BEN))
    await rounds(recorded, table, 1)
    if way == "closed":
        await recorded.played.tables.close(table, "table.closed.moderator")
    else:
        await table.do(d.abandon)
    stats = await recorded.store.archive.stats(GUILD, BEN, "ligretto")
    assert stats.practice == 0
    assert stats.rating is not None
    shown = words(card_screen(Card(BEN, Name("Ben"), "ligretto", stats)))
    assert "[Practice]" not in "\n".join(shown)
    assert await recorded.store.one("SELECT count(*) FROM feats") == 0


async def test_who_left_an_abandoned_match_has_lost_it(recorded: Recorded) -> None:
    """Ben leaves, and Anna doesn't come back to the robot: nobody wins, and Ben's loss stands."""
    table = await recorded.played.sit("ligretto", (ANNA, BEN), computers=1)
    await rounds(recorded, table, 1)
    await recorded.played.press(table, BEN, "leave.yes")
    await table.do(d.abandon)
    assert not said_in_both(await recorded.told(table), TOO_SHORT)
    assert await recorded.wins("ligretto") == {ANNA: 0, BEN: 0}


async def test_who_left_before_all_others_were_away_has_lost_to_nobody(recorded: Recorded) -> None:
    """Nobody stayed, not even a robot, who could have beaten Ben."""
    table = await recorded.played.sit("ligretto", (ANNA, BEN, UserId(3)))
    await rounds(recorded, table, 1)
    await recorded.played.press(table, BEN, "leave.yes")
    await table.do(d.abandon)
    assert said_in_both(await recorded.told(table), TOO_SHORT)


async def test_a_match_of_one_person_says_that_it_rates_nothing(recorded: Recorded) -> None:
    table = await recorded.played.sit("ligretto", (ANNA,), computers=1)
    alone = f"Solo, so it’s {PRACTICE}."
    assert alone in words(public(table.session, 0))
    await to_the_end(recorded, table)
    assert said_in_both(await recorded.told(table), alone)
