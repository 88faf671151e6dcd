"""Ligretto: everyone plays at once; the first card on a pile wins."""

from bot.games.contract import Game
from bot.games.ligretto import brain, ends, log, model, rules, screens
from bot.games.ligretto.model import Move, State
from bot.games.ligretto.screens import View
from bot.games.values import Option, Options


def _has_target(options: Options) -> bool:
    return options.get("target", "off") != "off"


LIGRETTO: Game[State, Move, View] = Game(
    key="ligretto",
    log_start=log.start,
    log_deal=log.deal,
    seats=range(2, 13),
    rules_version=1,
    rules=("goal", "cards", "centre", "row", "hand", "end", "points", "expert"),
    options=(
        Option("rounds", tuple(str(n) for n in range(1, 21)), "3", moot=_has_target),
        Option(
            "target",
            ("off", "25", "50", "75", "99", "150", "200", "300"),
            "off",
            moot=lambda options: not _has_target(options),
        ),
        rules.VARIANT,
        rules.REFILL,
    ),
    seat_options=(),
    check=lambda _, __: None,
    share=lambda _, __, ___: None,
    rounds=lambda options, _: int(options["rounds"]),
    abort_counts=True,
    numbered=False,
    deal=rules.deal,
    play=rules.play,
    moves=rules.moves,
    leave=rules.leave,
    ending=ends.ending,
    scores=ends.scores,
    left=ends.left,
    view=screens.view,
    centre=screens.centre,
    panel=screens.panel,
    choose=brain.choose,
    parse=model.parse,
    half=rules.half,
    claim=rules.claim,
    no_fit=rules.Why.NO_FIT,
    lapsed=rules.lapsed,
    written=rules.written,
)
