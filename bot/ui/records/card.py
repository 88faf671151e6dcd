"""A player's card in one game, and the pages behind its buttons."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.ids import UserId
from bot.records.feat_models import Highlight, PersonalBests, Rivalry
from bot.records.models import Place, Stats
from bot.screen import Choice, Line, Look, Row, Screen, Words
from bot.tables.views.lines import sentence
from bot.tables.views.results.story import seconds
from bot.text import Name, Number, Text, Value, Values, margin
from bot.ui.records.feats.badges import opener
from bot.ui.records.feats.practice import best_round, fastest_stop, practice_lines
from bot.ui.records.feats.rivals import rivalry_lines
from bot.ui.records.feats.server_records import in_short
from bot.ui.toolkit.command_router import custom_id

SUBJECT = "stats"


class Page(StrEnum):
    """The pages of a player, each behind a button."""

    CARD = "card"
    FIGURES = "figures"
    PRACTICE = "practice"


@dataclass(frozen=True, slots=True)
class Card:
    """A player in one game, as a card shows them. `name` wears the mark of a champion.

    `met`: the asking person against this player; None on one's own card. `others`: the other
    games that this player has played.
    """

    user: UserId
    name: Name
    game: str
    stats: Stats
    place: Place | None = None
    rival: tuple[Name, Rivalry] | None = None
    highlight: Highlight | None = None
    met: Rivalry | None = None
    others: tuple[str, ...] = ()


def card_screen(card: Card, more: Sequence[Line] = ()) -> Screen:
    """Draw the card: a few lines, and a button for all else. `more`: lines below."""
    return Screen((Words((_title(card.name, card.game), *_lines(card), *more)), *_buttons(card)))


def figures_screen(
    name: Name, game: str, stats: Stats, bests: Sequence[PersonalBests] = ()
) -> Screen:
    """Draw all figures of matches that count for leaderboards."""
    lines = _figures(game, stats, bests) if stats.has_counted else (sentence("stats.nothing"),)
    return Screen((Words((_title(name, game), *lines)),))


def practice_screen(name: Name, game: str, stats: Stats, bests: Sequence[PersonalBests]) -> Screen:
    """Draw the matches that count for no leaderboard, and the bests in them."""
    return Screen((Words((_title(name, game), _practice(stats), *practice_lines(bests))),))


def _title(name: Name, game: str) -> Line:
    values: Values = (("name", name), ("game", Text(f"game.{game}")))
    return sentence("stats.title", values, Look.TITLE)


def _lines(card: Card) -> Iterator[Line]:
    stats = card.stats
    if stats.rating is not None:
        yield _rating(str(stats.rating), card.place)
    if not stats.has_counted:
        yield sentence("stats.nothing")
        if stats.practice:
            yield _practice(stats)
    elif stats.matches:
        yield sentence("stats.won", _won(stats))
        if card.met is None:
            yield from _in_a_row(stats)
    if card.rival is not None:
        yield _rival(*card.rival)
    if card.highlight is not None:
        yield _highlight(card.highlight)
    if card.met is not None:
        yield from rivalry_lines(card.name, card.met)


def _rating(rating: str, place: Place | None) -> Line:
    if place is None:
        return sentence("stats.rated", (("rating", rating),))
    values: Values = (("rating", rating), ("place", place.place), ("of", place.of))
    return sentence("stats.ranked", values)


def _practice(stats: Stats) -> Line:
    return sentence("stats.practice", (("n", stats.practice),), Look.SMALL)


def _rival(name: Name, met: Rivalry) -> Line:
    values: Values = (
        ("name", name),
        ("own", met.own.ahead),
        ("other", met.other.ahead),
        ("matches", met.matches),
    )
    return sentence("stats.rival", values)


def _highlight(one: Highlight) -> Line:
    values: Values = (
        ("what", in_short(one.feat, one.value)),
        ("when", f"<t:{one.at // 1000}:d>"),
        ("number", one.match),
    )
    return sentence("stats.highlight_record" if one.is_record else "stats.highlight", values)


def _buttons(card: Card) -> tuple[Row, ...]:
    """Draw a button for each page there is, two in a row: no phone has room for more."""
    choices = [opener(card.user)]
    if card.stats.has_counted:
        choices.append(_opens(Page.FIGURES, card, Text("button.figures")))
    if card.stats.practice:
        choices.append(_opens(Page.PRACTICE, card, Text("button.practice")))
    for game in card.others:
        said = custom_id(SUBJECT, Page.CARD, card.user, game)
        choices.append(Choice(Text(f"game.{game}"), said))
    return tuple(Row(tuple(choices[at : at + 2])) for at in range(0, len(choices), 2))


def _opens(page: Page, card: Card, words: Text) -> Choice:
    return Choice(words, custom_id(SUBJECT, page, card.user, card.game))


def _figures(game: str, stats: Stats, bests: Sequence[PersonalBests]) -> tuple[Line, ...]:
    stop = fastest_stop(bests)
    lines: tuple[tuple[str, Values], ...] = (
        *((("stats.won", _won(stats)),) if stats.matches else ()),
        ("stats.per_round", _per_round(stats, bests)),
        *((("stats.stop", (("time", seconds(stop)),)),) if stop is not None else ()),
        (f"{game}.pace", (("laid", _fraction(stats.laid, 1)),)),
        ("stats.duels", _duels(stats)),
    )
    return (*(sentence(key, values) for key, values in lines), *_in_a_row(stats))


def _in_a_row(stats: Stats) -> tuple[Line, ...]:
    """Draw the streaks of somebody who has won at all."""
    if not stats.best_streak:
        return ()
    values: Values = (("now", stats.streak), ("most", stats.best_streak))
    return (sentence("stats.in_a_row", values),)


def _won(stats: Stats) -> Values:
    share = Number(stats.win_share or 0, share=True)
    return (("wins", stats.wins), ("n", stats.matches), ("share", share))


def _per_round(stats: Stats, bests: Sequence[PersonalBests]) -> Values:
    """Return points per round, the worst, and the best as records and bests have it."""
    points, best = _fraction(stats.points, 2), best_round(bests)
    return (("points", points), ("best", _signed(best)), ("worst", _signed(stats.worst)))


def _duels(stats: Stats) -> Values:
    return (
        ("firsts", stats.firsts),
        ("firsts_ms", _mean(stats.firsts_ms)),
        ("lates", stats.lates),
        ("lates_ms", _mean(stats.lates_ms)),
    )


def _mean(ms: float | None) -> Value:
    return "" if ms is None else Text("stats.mean", (("ms", margin(ms)),))


def _fraction(value: float | None, digits: int) -> Value:
    return "–" if value is None else Number(value, digits)


def _signed(value: int | None) -> Value:
    return "–" if value is None else Number(value, signed=True)
