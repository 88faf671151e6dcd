"""The end of an arena: its podium, and at most three lines of what happened in the evening."""

from bot.screen import Line, Look
from bot.tables.arena.points import Result, Tally
from bot.tables.arena.state import Arena, Member
from bot.tables.state.session import NOBODY
from bot.tables.views.lines import sentence
from bot.text import Icon, Joined, Name, Text, Values, points

ON_PODIUM = 3
TOLD_STREAK = 3
"""The least rounds won in a row that the story of an arena names."""


def podium(arena: Arena) -> tuple[Line, tuple[tuple[int, Member, Tally], ...]]:
    """Return the line that names who has won, and the places below it, three and ties with them.

    There are no places if no round counted.
    """
    there = [one for one in arena.standing if one[2].rounds]
    winners = tuple(Name(member.name) for place, member, _ in there if place == 1)
    values: Values = (
        ("crown", Icon("crown")),
        ("names", Joined(winners, sentence=True)),
        ("n", len(winners)),
    )
    places = tuple(one for one in there if one[0] <= ON_PODIUM)
    return sentence("end.won", values, Look.HUGE), places


def story(arena: Arena) -> tuple[Line, ...]:
    """Tell the longest streak, the best round, and the closest duel, where there are any."""
    return tuple(one for one in (_streak(arena), _best(arena), _closest(arena)) if one is not None)


def _streak(arena: Arena) -> Line | None:
    most = max((one.longest for _, _, one in arena.standing), default=0)
    if most < TOLD_STREAK:
        return None
    names = tuple(Name(one.name) for _, one, own in arena.standing if own.longest == most)
    return sentence("arena.story.streak", (("names", Joined(names, sentence=True)), ("n", most)))


def _best(arena: Arena) -> Line | None:
    """Tell the round with the most points of the game, by somebody who is still known."""
    best = max(
        (
            (score, -result.number, user)
            for result in arena.results
            if result.counts
            for user, score in zip(result.users, result.points, strict=True)
            if user in arena.members and user != NOBODY
        ),
        default=None,
    )
    if best is None or best[0] <= 0:
        return None
    score, number, user = best
    values: Values = (
        ("name", Name(arena.members[user].name)),
        ("points", Text("score.points", (("n", score), ("points", points(score))))),
        ("number", -number),
    )
    return sentence("arena.story.best", values)


def _closest(arena: Arena) -> Line | None:
    found = arena.closest
    if found is None or found.first not in arena.members or found.late not in arena.members:
        return None
    first, late = (Name(arena.members[one].name) for one in (found.first, found.late))
    return sentence("arena.story.duel", (("first", first), ("late", late), ("n", found.ms)))


def last_result(arena: Arena, member: Member) -> Result | None:
    """Return the result of the last table at which somebody sat, None while its round goes on."""
    return next((one for one in reversed(arena.results) if one.number == member.last), None)
