"""The score between two rounds, for everybody: who won the round, who leads, what comes next."""

from bot.games.values import Seat
from bot.screen import Block, Line, Look, Sentence, Words
from bot.tables.decisions import highlights
from bot.tables.state.session import Session
from bot.tables.views.lines import listed, player, players, sentence
from bot.tables.views.results.standings import (
    Pictured,
    in_a_line,
    medal,
    nameless,
    places,
    ranking,
    shown,
)
from bot.tables.views.results.story import clock, duel_line
from bot.text import Icon, Text, Values


def score(session: Session, picture: Pictured | None = None) -> tuple[Block, ...]:
    """Draw the score between two rounds. Without a picture, each player has a line."""
    duel = session.history[-1].ended.closest
    told = () if duel is None else (duel_line(session, duel, Look.SMALL),)
    behind = nameless(session, picture)
    below = (*_leads(session), *told, *behind)
    head = (_round_won(session), *(_podium(session) if picture else ()), _stopped(session))
    return (Words(head), shown(session, picture), Words(below))


def stop_line(session: Session, look: Look = Look.TITLE) -> Sentence:
    """Say how the last round ended: `Anna called Ligretto, stop!`, or why it was over."""
    return Sentence(_how(session), look)


def _how(session: Session) -> Text:
    ended = session.history[-1].ended
    values: Values = (("stop", Icon("stop")), ("agreed", Icon("agreed")))
    if ended.by is not None:
        values = (*values, ("name", player(session, Seat(ended.by))))
    if ended.reason.is_stop:
        return Text(f"{session.game.key}.stop", values)
    return Text("score.agreed" if ended.agreed else f"score.{ended.reason.value}", values)


def _stopped(session: Session) -> Sentence:
    """Draw how long the round took, and how it ended."""
    values = (("time", clock(session.history[-1].lasted)), ("how", _how(session)))
    return sentence("score.stopped", values, Look.SMALL)


def _round_won(session: Session) -> Sentence:
    """Draw the headline of a score: who has won the round."""
    first = [Seat(seat) for seat, place in enumerate(places(session)) if place == 1]
    number = len(session.history)
    if len(first) == len(session.history[-1].seats) > 1:
        return sentence("score.draw", (("round", number),), Look.TITLE)
    names = players(session, first)
    values = (("medal", medal(1)), ("names", names), ("n", len(first)), ("round", number))
    return sentence("score.won", values, Look.TITLE)


def _podium(session: Session) -> tuple[Line, ...]:
    """Draw the line of silver and bronze."""
    found = places(session)
    parts: list[Text] = []
    for place in (2, 3):
        seats = [seat for seat in ranking(session) if found[seat] == place]
        if seats:
            values = (("medal", medal(place)), ("names", listed(session, seats)))
            parts.append(Text("score.podium", values))
    return in_a_line(parts)


def _leads(session: Session) -> tuple[Line, ...]:
    """Say who leads the match by how much, and how long it goes on."""
    by, first = highlights.lead(session), session.winners
    target = session.options.get("target", "off")
    if target == "off":
        to_go = Text("score.rounds_to_go", (("n", session.rounds - len(session.history)),))
    else:
        to_go = Text("score.points_to_go", (("n", int(target) - max(session.totals)),))
    if by is None:
        return ()
    names = players(session, first)
    values: Values = (("names", names), ("lead", by), ("to_go", to_go))
    return (sentence("score.leads" if by else "score.level", values),)
