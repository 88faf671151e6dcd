"""The rules alone, without a table around them: moves a second on one core."""

import time

from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.values import Played, Seat
from bot.simulate.rounds import Act, Setting, play, seed_of
from tests.bench.figures import Row

GOAL = 20_000
SKILL = Skill(pace=2.0, attention=0.85)


def engine(rounds: int) -> Row:
    """Rounds of four played once more from their moves, with the end tested after each."""
    options = {option.key: option.default for option in GAMES["ligretto"].options}
    setting = Setting(GAMES["ligretto"], options, (SKILL,) * 4)
    recorded = [play(setting, seed_of("bench"), number).acts for number in range(1, rounds + 1)]
    began, moves = time.process_time(), 0
    for number, acts in enumerate(recorded, 1):
        moves += _again(setting, number, acts)
    rate = moves / (time.process_time() - began)
    return Row(
        "card moves a second, engine alone", f"at least {GOAL:,}", f"{rate:,.0f}", rate >= GOAL
    )


def _again(setting: Setting, number: int, acts: tuple[Act, ...]) -> int:
    game, seed = setting.game, seed_of("bench")
    state = game.deal((True,) * 4, setting.options, Chance(seed, number, 0))
    made, count = 0, 1
    for act in acts:
        if act.move is None or act.refused is not None:
            continue
        outcome = game.play(state, Seat(act.seat), act.move, Chance(seed, number, count))
        assert isinstance(outcome, Played)
        state, count, made = outcome.state, count + len(outcome.moves), made + 1
        _ = game.ending(state)
    return made
