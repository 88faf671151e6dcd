"""A match's log, played again by the bot's own engine: the same deals, moves and points."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.chance_scheme import Scheme
from bot.games.contract import AnyGame
from bot.games.seat_streams import SeatStreams
from bot.games.values import Played, Seat
from bot.tables.state.options import defaults
from tests.records.test_log import random_match, written

KEYS = {"cards": "ligretto", "dice": "dice"}


class Engine:
    """The bot's rules, told what a log says. Gaps are filled by hand: the log names each lay."""

    def __init__(self, start: dict[str, Any], seed: bytes) -> None:
        self.game: AnyGame = GAMES[KEYS[start["game"]]]
        expert = start.get("rules", {}).get("expert", False)
        self.options = defaults(self.game) | {"refill": "hand"}
        for seat, share in enumerate(start.get("shares", ())):
            self.options[f"dice.{seat}"] = str(share)
        self.options["extra"] = str(start.get("extra", 0))
        if self.game.key == "ligretto" and expert:
            self.options["variant"] = "expert"
        self.seed, self.started = seed, start.get("started")
        self.round = 0
        self.number = 1
        self.state: Any = None

    def chance(self, number: int) -> Chance:
        if self.started is None:
            return Chance(self.seed, self.round, number)
        streams = [i for i, seat in enumerate(self.started) if seat is not None]
        return SeatStreams(self.seed, self.round, streams, len(self.started))

    def deal(self, event: dict[str, Any]) -> None:
        dealt = event.get("seats") or event["dice"]
        self.round, self.number = self.round + 1, 1
        chance = self.chance(0)
        self.state = self.game.deal(tuple(seat is not None for seat in dealt), self.options, chance)
        assert self.game.log_deal(self.state).items() <= event.items()

    def move(self, seat: Seat, word: str) -> tuple[Any, ...]:
        move = self.game.parse(word)
        outcome = self.game.play(self.state, seat, move, self.chance(self.number))
        assert isinstance(outcome, Played), (word, outcome)
        self.state, self.number = outcome.state, self.number + len(outcome.moves)
        return tuple(moved for moved, _ in outcome.moves)

    def word(self, seat: Seat, move: list[Any], card: str | None) -> str:
        """A move of the log as the notation of a press."""
        own = self.state.seats[seat]
        match move:
            case ["play", *_]:
                return str(card).lower()
            case ["lay", _, column]:
                return f"{str(card).lower()}>{column}"
            case ["flip"] | ["recycle", _]:
                return f"flip:{own.flips}"
            case ["place", die]:
                return f"{own.dice[die].colour}{own.dice[die].value}#{die}"
            case _:
                return f"roll:{own.rolls}"


def pressed(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Moves as they were pressed: taking the hand up and turning from it is one press."""
    taken: set[int] = set()
    for event in events:
        seat = event.get("p")
        if event["e"] == "move" and event["m"] == ["flip"] and seat in taken:
            taken.discard(seat)
            continue
        if event["e"] == "move" and event["m"][0] == "recycle":
            taken.add(event["p"])
        yield event


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("seed", range(12))
async def test_the_engine_comes_to_the_same_points_from_the_log_alone(
    seed: int, scheme: Scheme
) -> None:
    events = [json.loads(line) for line in written(*await random_match(seed, scheme)).splitlines()]
    assert events[0].get("chance", 1) == scheme
    engine = Engine(events[0], bytes.fromhex(events[-1]["seed"]))
    rounds = 0
    for event in pressed(events):
        match event["e"]:
            case "deal":
                engine.deal(event)
            case "move":
                seat = Seat(event["p"])
                word = engine.word(seat, event["m"], event.get("card"))
                logged = json.loads(json.dumps(engine.move(seat, word)))
                assert logged[0] == event["m"] or event["m"][0] == "play"
            case "leave" if engine.state is not None:
                engine.state = engine.game.leave(engine.state, Seat(event["p"]))
            case "end":
                points = [one.net for one in engine.game.scores(engine.state)]
                assert points == event["scores"]
                if event["reason"] != "abort":
                    ending = engine.game.ending(engine.state)
                    assert ending is not None
                    assert ending.reason == event["reason"]
                engine.state, rounds = None, rounds + 1
            case _:
                pass
    assert rounds > 0
