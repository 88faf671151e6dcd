"""What an arena says to everybody and to each of its people, in its English words."""

from dataclasses import replace

from bot.ids import UserId
from bot.tables.arena import events as e
from bot.tables.arena.message import message
from bot.tables.arena.panel import panel
from bot.tables.arena.state import Arena
from bot.tables.state.journal import TableId
from tests.tables.test_arena import AROUND, after, arena, joined
from tests.tables.test_screens import words

PROMISE = "Fingerprint: mzuhvlpymk6xo3epygfy5h4oeaejofef"
BELOW = ["[Join]", "[Rules] [Fair deal?]", PROMISE]


def played(number: int, *users: int, points: tuple[int, ...] = (3, 2, 1)) -> tuple[e.Event, ...]:
    """A table at which these people come in this order, with these points of the game."""
    people = tuple(map(UserId, users))
    places = tuple(range(1, len(users) + 1))
    scored = e.Scored(number, TableId(number), people, places, points, counts=True)
    return (e.Paired(number, people), scored)


def evening() -> Arena:
    """The first of three people wins three times."""
    second = played(2, 1, 2, 3, points=(30, 2, -1))
    return arena(*joined(1, 2, 3), *played(1, 1, 2, 3), *second, *played(3, 1, 3, 2))


def over() -> Arena:
    stopped = after(evening(), e.Stopped("arena.stopped.time"), evening().lived)
    return after(stopped, e.Ended(), stopped.lived)


def test_an_arena_shows_its_standing() -> None:
    assert words(message(evening(), AROUND)) == [
        "Ligretto arena · 30 minutes",
        "Ends <t:1780001800:R> · up to 4 at a table · 3 here",
        "GOLD **p1** · 12 points · 3 rounds · 3 wins in a row",
        "SILVER **p2** · 2 points · 3 rounds",
        "BRONZE **p3** · 1 point · 3 rounds",
        *BELOW,
    ]


def test_an_arena_ends_with_its_podium_and_its_story() -> None:
    assert words(message(over(), AROUND)) == [
        "Ligretto arena · 30 minutes · over",
        "CROWN p1 wins!",
        "GOLD **p1** · 12 points · 3 rounds · 3 wins in a row",
        "SILVER **p2** · 2 points · 3 rounds",
        "BRONZE **p3** · 1 point · 3 rounds",
        "p1 won 3 rounds in a row.",
        "p1 played the best round: 30 points at table 2.",
        "[Leaderboard] [Fair deal?]",
        "Played: 3 rounds · 3 players",
        "Time’s up.",
        PROMISE,
    ]


def test_an_arena_that_ended_without_a_word_ended_in_time() -> None:
    """As one of an earlier version may have. With nobody in it, that is all there is to say."""
    for one in (evening(), arena(*joined(1, 2))):
        silent = after(one, e.Ended(), one.lived)
        assert "Time’s up." in words(message(silent, AROUND))


def test_an_arena_says_that_the_bot_is_about_to_stop() -> None:
    said = "The bot is restarting"
    for is_restarting in (True, False):
        shown = words(message(evening(), replace(AROUND, is_restarting=is_restarting)))
        assert any(said in line for line in shown) is is_restarting


def test_a_panel_shows_the_last_table_and_what_comes_next() -> None:
    table = [
        "GOLD **p1** · 3 points in the round",
        "SILVER **p3** · 2 points in the round",
        "BRONZE **p2** · 1 point in the round",
    ]
    assert words(panel(evening(), UserId(1), AROUND)) == [
        "GOLD You won · +6 points",
        *table,
        "Press Next round when you’re ready.",
        "You’re **#1**: 12 points after 3 rounds.",
        "3 wins in a row: your next win counts double.",
        "The arena ends <t:1780001800:R>",
        "[Next round]",
        "[Leave arena]",
        "[End arena]",
    ]
    assert words(panel(over(), UserId(2), AROUND)) == [
        "BRONZE Place 3 of 3 · 0 points",
        *table,
        "The arena is over",
        "Time’s up.",
        "You’re **#2**: 2 points after 3 rounds.",
    ]


def test_an_arena_lists_twelve_of_its_tables() -> None:
    for tables, more in ((12, []), (13, ["and 1 more table"])):
        paired = (e.Paired(n, (UserId(2 * n - 1), UserId(2 * n))) for n in range(1, tables + 1))
        assert words(message(arena(*joined(*range(1, 27)), *paired), AROUND)) == [
            "Ligretto arena · 30 minutes",
            "Ends <t:1780001800:R> · up to 4 at a table · 26 here",
            "---",
            *(f"**Table {n}** · p{2 * n - 1}, p{2 * n}" for n in range(1, 13)),
            *more,
            *(["WAITING Waiting for a table: p25, p26"] if tables == 12 else []),
            *BELOW,
        ]


def test_an_arena_names_twelve_of_those_who_are_free() -> None:
    names = ", ".join(f"p{n}" for n in range(1, 13))
    told = words(message(arena(*joined(*range(1, 14))), AROUND))
    assert f"WAITING Waiting for a table: {names}, +1" in told
    told = words(message(arena(*joined(*range(1, 13))), AROUND))
    assert f"WAITING Waiting for a table: {names}" in told
