"""Ligretto Dice: everyone rolls at once; the first die on a place has it."""

from bot.games.contract import Game
from bot.games.dice import bag, brain, log, model, rules, screens
from bot.games.dice.model import Move, State
from bot.games.dice.screens import View
from bot.games.values import Option, Options

ROUNDS_A_PLAYER = 3


def rounds(options: Options, seats: int) -> int:
    """Three a player (D14), or fewer when the host says so."""
    full = ROUNDS_A_PLAYER * seats
    return full if options["rounds"] == "full" else min(full, int(options["rounds"]))


DICE: Game[State, Move, View] = Game(
    key="dice",
    log_start=log.start,
    log_deal=log.deal,
    seats=range(2, 5),
    rules_version=1,
    rules=("goal", "dice", "board", "roll", "end", "points", "rounds"),
    options=(Option("rounds", ("full", *(str(n) for n in range(1, 13))), "full"), bag.EXTRA),
    seat_options=(bag.SHARE,),
    check=bag.check,
    share=bag.share,
    rounds=rounds,
    abort_counts=False,
    numbered=True,
    deal=rules.deal,
    play=rules.play,
    moves=rules.moves,
    leave=rules.leave,
    ending=rules.ending,
    scores=rules.scores,
    left=rules.left,
    view=screens.view,
    centre=screens.centre,
    panel=screens.panel,
    choose=brain.choose,
    parse=model.parse,
    half=lambda _, __, ___: None,
    claim=rules.claim,
    no_fit=rules.Why.NO_FIT,
    lapsed=rules.lapsed,
    written=rules.written,
)
