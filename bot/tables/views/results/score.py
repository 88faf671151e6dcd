"""The score between two rounds, for everybody: who won the round, who leads, what comes next."""

from bot.games.values import Seat
from bot.screen import Block, Look, Sentence, Words
from bot.tables.decisions import highlights
from bot.tables.state.session import Session
from bot.tables.views.lines import ended_by, player, players, sentence
from bot.tables.views.results.standings import (
    Pictured,
    nameless,
    shown,
)
from bot.tables.views.results.story import clock, duel_line
from bot.text import Icon, Text, Values


def score(session: Session, picture: Pictured | None = None) -> tuple[Block, ...]:
    """Draw the score between two rounds. Without a picture, each player has a line."""
    duel = session.history[-1].ended.closest
    told = () if duel is None else (duel_line(session, duel, Look.SMALL),)
    behind = nameless(session, picture)
    below = (_leads(session), *told, *behind)
    head = (_round_won(session), _stopped(session))
    return (Words(head), shown(session, picture), Words(below))


def stop_line(session: Session, look: Look = Look.TITLE, reader: Seat | None = None) -> Sentence:
    """Say how the last round ended: `Anna called Ligretto stop!`, or why it was over.

    `reader`: the seat on whose panel it stands, if it stands on one.
    """
    return Sentence(_how(session, reader), look)


def _how(session: Session, reader: Seat | None = None) -> Text:
    ended = session.history[-1].ended
    if ended.reason.is_stop:
        values: Values = (("stop", Icon("stop")),)
        if reader is not None and ended.by == reader:
            return Text(f"{session.game.key}.stop_you", values)
        if ended.by is not None:
            values = (*values, ("name", player(session, Seat(ended.by))))
        return Text(f"{session.game.key}.stop", values)
    people = {seat for seat in session.history[-1].seats if session.chairs[seat].human}
    if ended.agreed and ((len(people) > 1 and people.issubset(ended.voters)) or not ended.voters):
        return Text("score.agreed", (("agreed", Icon("agreed")),))
    if ended.voters:
        return ended_by(session, ended.voters, reader)
    return Text(f"score.{ended.reason.value}")


def _stopped(session: Session) -> Sentence:
    """Draw how long the round took, and how it ended."""
    values = (("time", clock(session.history[-1].lasted)), ("how", _how(session)))
    return sentence("score.stopped", values, Look.SMALL)


def _round_won(session: Session) -> Sentence:
    """Draw the headline of a score: who has won the round."""
    number, first = len(session.history), highlights.round_winners(session.history[-1])
    if not first:
        return draw(number)
    names = players(session, first)
    values = (("medal", Icon("round")), ("names", names), ("n", len(first)), ("round", number))
    return sentence("score.won", values, Look.TITLE)


def draw(number: int) -> Sentence:
    """Draw the headline of a round that nobody has won."""
    return sentence("score.draw", (("round", number),), Look.TITLE)


def _leads(session: Session) -> Sentence:
    """Say who leads the match by how much, and how long it goes on."""
    by, first = highlights.lead(session), session.leaders
    target = session.options.get("target", "off")
    if target == "off":
        to_go = Text("score.rounds_to_go", (("n", session.rounds - len(session.history)),))
    else:
        to_go = Text("score.points_to_go", (("n", int(target) - max(session.totals)),))
    names = players(session, first)
    values: Values = (("names", names), ("lead", by), ("to_go", to_go))
    return sentence("score.leads" if by else "score.level", values)
