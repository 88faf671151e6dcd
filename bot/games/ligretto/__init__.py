"""Ligretto: everyone plays at once; the first card on a pile wins."""

from bot.games.kernel import Game, Option
from bot.games.ligretto import brain, log, model, rules, screens
from bot.games.ligretto.model import Move, State
from bot.games.ligretto.screens import View

LIGRETTO: Game[State, Move, View] = Game(
    key="ligretto",
    log_start=log.start,
    log_deal=log.deal,
    seats=range(2, 13),
    rules_version=1,
    options=(
        Option("rounds", tuple(str(n) for n in range(1, 21)), "3"),
        Option("target", ("off", "25", "50", "75", "99", "150", "200", "300"), "off"),
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
    ending=rules.ending,
    scores=rules.scores,
    left=rules.left,
    view=screens.view,
    centre=screens.centre,
    panel=screens.panel,
    choose=brain.choose,
    parse=model.parse,
    claim=rules.claim,
    no_fit=rules.Why.NO_FIT,
    lapsed=rules.lapsed,
    written=rules.written,
)
