"""A whole round as a text file: its chance, its score, its end and its points.

The files in `golden/` were written once by

    python -m tests.games.dice.record

and are kept: a change of the rules, of chance or of the notation shows as a round that does not
replay. Run it again only where `rules_version` changes.
"""

from dataclasses import dataclass
from pathlib import Path

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.dice import DICE
from bot.games.dice.model import State, parse
from bot.games.values import Played, Refused, Seat
from tests.games.dice.board import options

FOLDER = Path(__file__).parent / "golden"
ATTENTIVE = Skill(pace=1, attention=0.8)
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Table:
    """What a round begins with. `dealt` has a letter for each seat, `-` where it sits out."""

    seed: bytes
    round: int
    dealt: str
    extra: int = 0
    shares: str = ""

    def deal(self) -> State:
        is_in = tuple(letter != "-" for letter in self.dealt)
        return DICE.deal(is_in, options(self.extra, self.shares), Chance(self.seed, self.round, 0))


GOLDEN = {
    "two_with_a_child": (Table(bytes(range(32)), 1, "xx", 2, "even child"), {}),
    "four_and_one_leaves": (Table(bytes(range(1, 33)), 2, "xxxx"), {25: Seat(3)}),
}
"""For each golden round its table, and after how many presses which seat leaves."""


def replay(text: str) -> tuple[State, str]:
    """The state after a recorded round, and the two lines that tell how it came out."""
    lines = [line.split() for line in text.splitlines()]
    head = {key: " ".join(words) for key, *words in lines[:5]}
    table = Table(
        bytes.fromhex(head["seed"]),
        int(head["round"]),
        head["dealt"],
        int(head["extra"]),
        head["shares"],
    )
    state, number = table.deal(), 1
    for seat, move in (line for line in lines[5:] if line[0].isdecimal()):
        assert DICE.ending(state) is None, f"{seat} {move} comes after the end"
        if move == "leaves":
            state = DICE.leave(state, Seat(int(seat)))
            continue
        chance = Chance(table.seed, table.round, number)
        outcome = DICE.play(state, Seat(int(seat)), parse(move), chance)
        assert not isinstance(outcome, Refused), f"{seat} {move}: {outcome.why}"
        state, number = outcome.state, number + len(outcome.moves)
    return state, result(state)


def result(state: State) -> str:
    """`end dice 1` and `points 0-4 4-0`: plus and minus of each seat."""
    ending = DICE.ending(state)
    end = "open" if ending is None else f"{ending.reason.value} {ending.by}"
    points = " ".join(f"{one.plus}-{one.minus}" for one in DICE.scores(state))
    return f"end {end}\npoints {points}\n"


def record(table: Table, leaves: dict[int, Seat]) -> str:
    """A round played by computer players who press in a random order."""
    state, number = table.deal(), 1
    lines = [
        f"seed {table.seed.hex()}",
        f"round {table.round}",
        f"dealt {table.dealt}",
        f"extra {table.extra}",
        f"shares {table.shares}".rstrip(),
    ]
    luck = Chance(table.seed, 0, 0)
    for presses in range(LONGEST):
        if DICE.ending(state) is not None:
            break
        if presses in leaves:
            state = DICE.leave(state, leaves[presses])
            lines.append(f"{leaves[presses]} leaves")
            continue
        seat = Seat(luck.below(len(table.dealt)))
        move = DICE.choose(DICE.view(state, seat), ATTENTIVE, luck)
        if move is None:
            continue
        outcome = DICE.play(state, seat, move, Chance(table.seed, table.round, number))
        assert isinstance(outcome, Played), f"{seat} {move}: {outcome.why}"
        state, number = outcome.state, number + len(outcome.moves)
        lines.append(f"{seat} {move}")
    return "\n".join(lines) + "\n" + result(state)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (table, leaves) in GOLDEN.items():
        (FOLDER / f"{name}.txt").write_text(record(table, leaves), encoding="utf-8")


if __name__ == "__main__":
    main()
