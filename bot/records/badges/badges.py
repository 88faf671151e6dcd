"""Badges: feats that anybody can check in a match's log. None is for having been there.

All are earned in matches between people that count for leaderboards, but MASTER, which is earned
alone.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

from bot.records.badges import badge_rules as rules
from bot.records.badges.log_rounds import Line, LoggedMatch, read

Rule: TypeAlias = Callable[[LoggedMatch, int], bool]


class Badge(StrEnum):
    """A badge. The words say how each is earned and why it is hard (`badge.…` and `….why`)."""

    SWEEP = "sweep"
    HAT_TRICK = "hat_trick"
    LAST_STOP = "last_stop"
    COME_BACK = "come_back"
    LEADER = "leader"
    CROWD = "crowd"
    FLAWLESS = "flawless"
    BLINK = "blink"
    DUELLIST = "duellist"
    UNBEATEN = "unbeaten"
    FLASH = "flash"
    LANDSLIDE = "landslide"
    SHUTOUT = "shutout"
    SUMMIT = "summit"
    RAINBOW = "rainbow"
    CHAIN = "chain"
    ONE_PASS = "one_pass"  # noqa: S105 no password
    LUCKY_ROLL = "lucky_roll"
    SPRINT = "sprint"
    FEW_ROLLS = "few_rolls"
    MASTER = "master"


_ANY: Mapping[Badge, Rule] = {
    Badge.SWEEP: rules.sweep,
    Badge.HAT_TRICK: rules.hat_trick,
    Badge.LAST_STOP: rules.last_stop,
    Badge.COME_BACK: rules.come_back,
    Badge.LEADER: rules.leader,
    Badge.CROWD: rules.crowd,
    Badge.FLAWLESS: rules.flawless,
    Badge.BLINK: rules.blink,
    Badge.DUELLIST: rules.duellist,
    Badge.UNBEATEN: rules.unbeaten,
}
_OF_GAME: Mapping[str, Mapping[Badge, Rule]] = {
    "ligretto": {
        Badge.FLASH: rules.flash,
        Badge.LANDSLIDE: rules.landslide,
        Badge.SHUTOUT: rules.shutout,
        Badge.SUMMIT: rules.summit,
        Badge.RAINBOW: rules.rainbow,
        Badge.CHAIN: rules.chain,
        Badge.ONE_PASS: rules.one_pass,
    },
    "dice": {
        Badge.LUCKY_ROLL: rules.lucky_roll,
        Badge.SPRINT: rules.sprint,
        Badge.FEW_ROLLS: rules.few_rolls,
    },
}
_IN_LOGS = {"ligretto": "cards", "dice": "dice"}
"""The names of the games in logs."""
ONLY_IN: Mapping[Badge, str] = {badge: game for game, of in _OF_GAME.items() for badge in of}
"""The game of each badge that can be earned in one only."""


def _only_in(game: str, rule: Rule) -> Rule:
    return lambda match, seat: match.game == game and rule(match, seat)


RULES: Mapping[Badge, Rule] = {
    **_ANY,
    **{
        badge: _only_in(_IN_LOGS[game], rule)
        for game, found in _OF_GAME.items()
        for badge, rule in found.items()
    },
}
"""How each badge of matches between people is earned."""


def badges(events: Sequence[Line], people: Sequence[bool]) -> Mapping[int, frozenset[Badge]]:
    """Return the badges that each person earned in a match, by seat. Leavers earn none.

    `events`: the lines of its log. `people`: by seat, people and not robots. A malformed log may
    raise any exception.
    """
    match = read(events, people)
    found_by = {Badge.MASTER: rules.master} if match.is_solo else RULES
    stayed = [seat for seat, is_person in enumerate(people) if is_person and seat not in match.left]
    earned = {
        seat: frozenset(badge for badge, rule in found_by.items() if rule(match, seat))
        for seat in stayed
    }
    return {seat: found for seat, found in earned.items() if found}
