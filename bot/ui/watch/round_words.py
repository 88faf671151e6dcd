"""A round told in three sentences: who played, how it ended, and its duels."""

from collections.abc import Sequence

from bot.games.values import Reason
from bot.text import Icon, Joined, Name, Text, Values, change, margin
from bot.watch.rounds.facts import RoundFacts

GAMES = {"ligretto": "cards", "dice": "dice"}


def told(facts: RoundFacts, match: int, game: str, names: Sequence[Name]) -> Text:
    """Return the three sentences. `names`: by seat."""
    parts: Values = (
        ("played", _played(facts, match, game, names)),
        ("ended", _ended(facts, names)),
        ("fought", _fought(facts, names)),
    )
    return Text("watch.told", parts)


def option(facts: RoundFacts) -> Text:
    """Return a round as one of a list."""
    values: Values = (("round", facts.number), ("seconds", seconds(facts)), ("n", facts.duels))
    return Text("watch.round" if facts.duels else "watch.round.quiet", values)


def seconds(facts: RoundFacts) -> int:
    return max(1, round(facts.lasted / 1000))


def _played(facts: RoundFacts, match: int, game: str, names: Sequence[Name]) -> Text:
    players = Joined(tuple(names[seat] for seat in facts.dealt), sentence=True)
    values: Values = (
        ("names", players),
        ("game", Text(f"game.{game}")),
        ("round", facts.number),
        ("number", match),
        ("n", seconds(facts)),
    )
    return Text("watch.played", values)


def _ended(facts: RoundFacts, names: Sequence[Name]) -> Text:
    scores = Joined(
        tuple(
            Text("history.scored", (("name", names[seat]), ("points", change(facts.scores[seat]))))
            for seat in facts.ranking
        )
    )
    reason = Reason(facts.reason)
    if reason.is_stop and facts.by is not None:
        return Text("watch.stopped", (("name", names[facts.by]), ("scores", scores)))
    key = "watch.dead" if reason is Reason.DEAD else "watch.cut_short"
    return Text(key, (("scores", scores),))


def _fought(facts: RoundFacts, names: Sequence[Name]) -> Text:
    closest = facts.closest
    if closest is None:
        return Text("watch.no_duel")
    values: Values = (
        ("n", facts.duels),
        ("name", names[closest.winner]),
        ("late", names[closest.loser]),
        ("ms", margin(closest.margin)),
        ("card", Icon(closest.card or "gap")),
    )
    return Text("watch.duels", values)
