"""Own panels between two rounds and after a match: the player's place, and what they did well."""

from bot.games.values import Seat
from bot.screen import Line, Look, Sentence
from bot.tables.decisions.highlights import round_places, round_winners
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.rated_or_practice import is_recorded
from bot.tables.state.session import Session
from bot.tables.views.lines import conceded, player, sentence
from bot.tables.views.results.score import draw, stop_line
from bot.tables.views.results.standings import MEDALS, medal
from bot.tables.views.results.story import praise
from bot.text import Icon, Text, Values, change, points


def own_round(session: Session, seat: Seat) -> tuple[Line, ...]:
    """Draw a player's part in the last round. Whoever sat it out hears how it ended."""
    last = session.history[-1]
    if seat not in last.seats:
        return (stop_line(session, reader=seat),)
    return (_of_round(session, seat), _points(session, seat), stop_line(session, Look.SMALL, seat))


def _of_round(session: Session, seat: Seat) -> Sentence:
    """Say that a player has won the last round, or their place, or that it is a draw."""
    last, number = session.history[-1], len(session.history)
    winners = round_winners(last)
    if not winners:
        return draw(number)
    if seat in winners:
        won: Values = (("medal", Icon("round")), ("round", number))
        return sentence("panel.round_won", won, Look.TITLE)
    place = round_places(last)[seat]
    values: Values = (("place", place), ("seats", last.dealt), ("round", number))
    if place > len(MEDALS):
        return sentence("panel.round_unplaced", values, Look.TITLE)
    return sentence("panel.round_place", (("medal", medal(place)), *values), Look.TITLE)


def own_match(session: Session, seat: Seat, presence: Presence) -> tuple[Line, ...]:
    """Draw a player's match: congratulations or a place, the points, and what they did well."""
    if not is_recorded(session):
        return (sentence("end.nothing", look=Look.HEAD),)
    place = session.places[seat]
    values: Values = (("medal", medal(place)), ("place", place), ("seats", len(session.chairs)))
    is_first = seat in session.winners
    if is_first and session.conceded:
        head = sentence("panel.won_left", conceded(session), Look.HUGE)
    else:
        below = "panel.place" if place <= len(MEDALS) else "panel.unplaced"
        key, look = ("panel.won", Look.HUGE) if is_first else (below, Look.TITLE)
        head = sentence(key, values, look)
    if not session.history:
        return (head,)
    told = praise(session, seat, presence)
    return (head, _compared(session, seat), *(() if told is None else (told,)))


def own_points(session: Session, seat: Seat) -> tuple[Line, ...]:
    """Draw the points of somebody who was not there at the end."""
    return (_compared(session, seat),) if session.history else ()


def is_of_the_round(session: Session, said: Line | None) -> bool:
    """Return whether a line tells what a press in a round led to, which is over with it."""
    if not isinstance(said, Sentence):
        return False
    within = (one for _, one in said.text.values if isinstance(one, Text))
    game = f"{session.game.key}."
    return any(text.key.startswith(game) for text in (said.text, *within))


def _points(session: Session, seat: Seat) -> Sentence:
    won = session.history[-1].ended.scores[seat]
    values: Values = (
        ("won", _total(change(won), won)),
        ("total", points(session.totals[seat])),
    )
    return sentence("panel.points", values)


def _compared(session: Session, seat: Seat) -> Sentence:
    """Compare the points of a winner with the next player's, those of others with a winner's."""
    own = session.totals[seat]
    total = _total(points(own), own)
    others = [other for other in session.seats_in if other != seat]
    if not others:
        return Sentence(total)
    rival = max(others, key=lambda other: session.totals[other])
    by = own - session.totals[rival]
    key = "panel.ahead" if by > 0 else "panel.behind" if by < 0 else "panel.level"
    values = (("total", total), ("name", player(session, rival)), ("by", abs(by)))
    return sentence(key, values)


def _total(written: str, number: int) -> Text:
    return Text("score.points", (("points", written), ("n", abs(number))))
