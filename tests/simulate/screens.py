"""What a screen says, read as a person reads it: no code of the bot's."""

import re
from dataclasses import dataclass
from typing import TypeAlias

from bot.fakediscord import Item, Message

Button: TypeAlias = tuple[str | None, str | None, bool]
"""A label, an id, and whether it can't be pressed."""
_TRACK = re.compile(r"`[RYGB] [^`]*`")
_LEFT = re.compile(r"\*\*Ligretto pile\*\* · (\d+) left")
_BAR = re.compile(r"[▰▱]+ \*\*(\d+)\*\* (\S+)")
_LATE = re.compile(r"^✖ Too late for (?P<card>.+)$", re.MULTILINE)
_BEATEN = re.compile(
    r"^-# ⚡ (?P<who>.+) beat you by (?:less than 1|(?P<ms>-?\d+))\sms", re.MULTILINE
)
_HELD = ("-# ⚡", "-# 🚨", "-# 🏳️")
"""The beginnings of news that hold their line for a while."""
_ACCEPTED = re.compile(
    r"^(✅ (Played|\*\*Placed|Turned up|Discards shuffled|Rolled|.* into the gap)"
    r"|Ready$|Started$|You’re in$)"
)
_COUNT = re.compile(r"^#* ?\d …")
FRESH = "Your panel"
"""The line that only a panel which was just asked for has."""
ENDED = "Rematch"
NEXT_MATCH = "Join next match"
"""The button of somebody who has left: an old one does what a new one does."""
AFTER_A_ROUND = ("Next round", ENDED)
"""Buttons that a panel has when a round is over."""


@dataclass(frozen=True, slots=True)
class Late:
    """A refusal that names who was first, and by how much."""

    card: str
    who: str
    margin: int


def centre(message: Message) -> list[str]:
    """The lines of the centre: a row or a pile of each colour."""
    return [found[0] for line in message.text.splitlines() if (found := _TRACK.search(line))]


def ligretto_left(panel: Message) -> int | None:
    found = _LEFT.search(panel.text)
    return int(found[1]) if found is not None else None


def piles(public: Message) -> dict[str, int]:
    """How many each player has left, by the name as the table's message has it."""
    return {found[2]: int(found[1]) for found in _BAR.finditer(public.text)}


def buttons(message: Message) -> list[Button]:
    return [button(item) for item in message.controls]


def button(item: Item) -> Button:
    """Return one as it works: without its round, where it does the same in each."""
    custom_id = item.custom_id
    if item.label == NEXT_MATCH and custom_id:
        prefix, table, _, action = custom_id.split(":", 3)
        custom_id = f"{prefix}:{table}:{action}"
    return item.label, custom_id, item.disabled


def table(message: Message) -> str:
    """The number of the table that its buttons are for, empty without buttons."""
    ids = [item.custom_id or "" for item in message.controls]
    return next((one.split(":")[1] for one in ids if one.startswith("lg1:")), "")


MINE = ("My cards", "My dice")
"""The button that shows a panel, by game."""


def pressable(message: Message, *labels: str) -> Item | None:
    """The button with one of these labels, if there is one that can be pressed."""
    return next(
        (item for item in message.controls if item.label in labels and not item.disabled), None
    )


def is_picture(message: Message) -> bool:
    """Whether it shows a round to watch, to one person or to all."""
    ids = [item.custom_id or "" for item in message.controls]
    return bool(ids) and all(
        one.startswith(("lr1:share:", "lr1:round:", "lr1:rounds:")) for one in ids
    )


def accepted(message: Message) -> bool:
    """Whether the panel says that the press it answers has changed the table."""
    return any(_ACCEPTED.search(line) for line in message.text.splitlines())


def counts(public: Message) -> bool:
    """Whether a round is about to begin."""
    return any(_COUNT.match(line) for line in public.text.splitlines())


def releasable(public: Message) -> list[str]:
    """The buttons that vote to go on without somebody."""
    labels = [item.label or "" for item in public.controls if not item.disabled]
    return [label for label in labels if label.startswith("Release ")]


def host_is_away(public: Message) -> bool:
    """Whether the lobby says that others may do what the host may."""
    return " is away: anyone seated" in public.text


def late(message: Message) -> Late | None:
    """The race that the panel says was lost: which one, and above it to whom and by how much."""
    lost, beaten = _LATE.search(message.text), _BEATEN.search(message.text)
    if lost is None or beaten is None:
        return None
    return Late(lost["card"].split()[-1], beaten["who"], int(beaten["ms"] or 0))


@dataclass(frozen=True, slots=True)
class Look:
    """A panel as it was at some moment."""

    lines: tuple[str, ...]
    buttons: tuple[Button, ...]

    @classmethod
    def of(cls, panel: Message) -> "Look":
        return cls(tuple(panel.text.splitlines()), tuple(buttons(panel)))

    def _has_ended_by_votes(self, fresh: "Look") -> bool:
        """Whether a round has ended meanwhile that its players had voted to end, and with the last
        round the match: where all who voted were away, the votes wait until one of them is back,
        which asking for a panel tells.
        """
        waited = any(" to end the round. It ends when" in line for line in self.lines)
        return waited and any(label in AFTER_A_ROUND for label, *_ in fresh.buttons)

    def differences(self, fresh: "Look") -> list[str]:
        """How it differs from a panel that was just drawn, what was last said apart. A move that
        was half made is given up by asking for a panel.
        """
        if self._has_ended_by_votes(fresh):
            return []
        found = []
        mine, its = _lasting(self.buttons), _lasting(fresh.buttons)
        half = any(label == "Back" for label, *_ in self.buttons)
        if mine != its and not half:
            found.append(f"buttons {mine} instead of {its}")
        before, now = _told(self.lines), _told(fresh.lines)
        if FRESH in now:
            said = now.index(FRESH)
            held = any(
                line.startswith(_HELD) for one in (before, now) for line in one[said - 1 : said]
            )
            since = said - 1 if held else said
            before, now = before[:since] + before[said + 1 :], now[:since] + now[said + 1 :]
        else:  # the end of a match says only why a press on it was refused
            before = tuple(one for one in before if not one.startswith("✖ "))
        if before != now:
            found.append(f"{before} instead of {now}")
        return found


def _told(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Without the hint that comes with that button, and a panel's link to the table's thread."""
    apart = ("Nobody has played anything", "The table has its own thread")
    return tuple(one for one in lines if not any(words in one for words in apart))


def _lasting(found: tuple[Button, ...]) -> list[Button]:
    """Without the button that comes with time alone, a few seconds later on one panel than on
    another: the end of a round in which nothing is played.
    """
    return [one for one in found if one[0] != "End round"]
