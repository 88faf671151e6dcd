"""A whole round as a text file: its chance, its score, its end and its points.

The files in `golden/` were written once by

    python -m tests.games.ligretto.record

and are kept: a change of the rules, of chance or of the notation shows as a round that does not
replay. Run it again only where `rules_version` changes.
"""

from dataclasses import dataclass
from pathlib import Path

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.model import State, parse
from bot.games.values import Played, Refused, Seat

FOLDER = Path(__file__).parent / "golden"
ATTENTIVE = Skill(pace=1, attention=0.8, foresight=0.8)
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Table:
    """What a round begins with. `dealt` has a letter for each seat, `-` where it sits out."""

    seed: bytes
    round: int
    dealt: str
    refill: str
    variant: str = "standard"

    def deal(self) -> State:
        is_in = tuple(letter != "-" for letter in self.dealt)
        options = {"refill": self.refill, "variant": self.variant}
        return LIGRETTO.deal(is_in, options, Chance(self.seed, self.round, 0))


GOLDEN = {
    "two_by_hand": (Table(bytes(range(32)), 1, "xx", "hand"), {}),
    "four_and_one_leaves": (Table(bytes(range(1, 33)), 2, "xx-xx", "auto"), {60: Seat(3)}),
    "two_to_a_dead_end": (Table(bytes([8] * 32), 3, "xx", "auto"), {}),
    "expert_two": (Table(bytes(range(2, 34)), 1, "xx", "auto", "expert"), {}),
    "expert_three_and_one_leaves": (
        Table(bytes(range(3, 35)), 2, "x-xx", "auto", "expert"),
        {50: Seat(2)},
    ),
    "expert_left_alone_to_a_dead_end": (
        Table((11).to_bytes(32), 3, "xx", "auto", "expert"),
        {30: Seat(1)},
    ),
}
"""For each golden round its table, and after how many presses which seat leaves."""


def replay(text: str) -> tuple[State, str]:
    """The state after a recorded round, and the two lines that tell how it came out."""
    words = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    head = {key: value for key, value, *_ in words if not key.isdecimal()}
    table = Table(
        bytes.fromhex(head["seed"]),
        int(head["round"]),
        head["dealt"],
        head["refill"],
        head.get("variant", "standard"),
    )
    state, number = table.deal(), 1
    for seat, move in (line for line in words if line[0].isdecimal()):
        assert LIGRETTO.ending(state) is None, f"{seat} {move} comes after the end"
        if move == "leaves":
            state = LIGRETTO.leave(state, Seat(int(seat)))
            continue
        chance = Chance(table.seed, table.round, number)
        outcome = LIGRETTO.play(state, Seat(int(seat)), parse(move), chance)
        assert not isinstance(outcome, Refused), f"{seat} {move}: {outcome.why}"
        state, number = outcome.state, number + len(outcome.moves)
    return state, result(state)


def result(state: State) -> str:
    """`end ligretto 1` and `points 12-4 9-0`: plus and minus of each seat."""
    ending = LIGRETTO.ending(state)
    end = "open" if ending is None else ending.reason.value
    by = "" if ending is None or ending.by is None else f" {ending.by}"
    points = " ".join(f"{one.plus}-{one.minus}" for one in LIGRETTO.scores(state))
    return f"end {end}{by}\npoints {points}\n"


def record(table: Table, leaves: dict[int, Seat]) -> str:
    """A round played by computer players who press in a random order."""
    state, number = table.deal(), 1
    lines = [
        f"seed {table.seed.hex()}",
        f"round {table.round}",
        f"dealt {table.dealt}",
        f"refill {table.refill}",
        *([f"variant {table.variant}"] if table.variant != "standard" else []),
    ]
    luck = Chance(table.seed, 0, 0)
    for presses in range(LONGEST):
        if LIGRETTO.ending(state) is not None:
            break
        if presses in leaves:
            state = LIGRETTO.leave(state, leaves[presses])
            lines.append(f"{leaves[presses]} leaves")
            continue
        seat = Seat(luck.below(len(table.dealt)))
        move = LIGRETTO.choose(LIGRETTO.view(state, seat), ATTENTIVE, luck)
        if move is None:
            continue
        outcome = LIGRETTO.play(state, seat, move, Chance(table.seed, table.round, number))
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
