"""Lines that more than one screen of a table has."""

from base64 import b32encode
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache

from bot.games.values import Seat
from bot.ids import UserId
from bot.screen import ASIDE, Choice, Line, Look, Sentence, Style
from bot.tables.decisions.refusal_reasons import host_name, name_of_mine
from bot.tables.state import actions as a
from bot.tables.state import match_seed, options
from bot.tables.state.session import Session
from bot.text import Icon, Joined, Name, Text, Value, Values, bare

READABLE = 40
"""The number of hexadecimal digits shown of a hash."""
SHOWN = 32
"""The number of base32 characters shown of a promise: 160 bits.

Fewer would not bind whoever makes it: two secrets that share 80 bits take 2**40 tries.
"""

KEPT = 1024
"""Titles in the cache."""


def sentence(key: str, values: Values = (), look: Look = Look.PLAIN) -> Sentence:
    return Sentence(Text(key, values), look)


def title(session: Session) -> Sentence:
    """Draw the title: `Ligretto · round 2 of 3`, or `Ligretto · table 7` in an arena."""
    if (inside := session.opened.arena) is not None:
        of_table: Values = (("game", game_name(session)), ("number", inside.number))
        return sentence("table.title_arena", of_table, Look.HEAD)
    number = len(session.history) + 1
    target = session.options.get("target", "off")
    key = "table.title" if target == "off" else "table.title_target"
    limit = session.rounds if target == "off" else int(target)
    return _title(key, session.opened.game, number, limit)


@lru_cache(KEPT)
def _title(key: str, game: str, number: int, limit: int) -> Sentence:
    values = (("game", Text(f"game.{game}")), ("round", number), ("limit", limit))
    return sentence(key, values, Look.HEAD)


def options_in_words(session: Session) -> Joined:
    """Return the options that tell something as one line: `3 rounds · standard rules`."""
    return dotted(
        [
            option_in_words(option.key, options.chosen(session.options, option))
            for option in options.all_of(session.game)
            if not option.moot(session.all_options)
        ]
    )


def option_in_words(key: str, value: str) -> Text:
    if value.isdigit() and value != "0":
        return Text(f"option.{key}", (("n", int(value)),))
    return Text(f"option.{key}.{value}")


def in_its_thread(session: Session) -> Sentence:
    """Link to the thread in which a table goes on."""
    return sentence("table.moved", (("where", f"<#{session.channel}>"),))


def won(session: Session) -> Sentence:
    """Say who has won, one or several, and why if it isn't by points."""
    values: Values = (
        ("names", players(session, session.winners)),
        ("n", len(session.winners)),
    )
    if session.conceded:
        return sentence("end.won_left", (*values, *conceded(session)), Look.HUGE)
    return sentence("end.won", (("crown", Icon("crown")), *values), Look.HUGE)


def conceded(session: Session) -> Values:
    """Return what to say of those who left with no fewer points than the winners."""
    return left(tuple(player(session, seat) for seat in session.conceded))


def left(names: tuple[Name, ...]) -> Values:
    """Return the sign and the words of players who left: `Ben left`."""
    values: Values = (("names", Joined(names, sentence=True)), ("n", len(names)))
    return (("flag", Icon("flag")), ("left", Text("end.left", values)))


def player(session: Session, seat: Seat, champions: Collection[UserId] = ()) -> Name:
    """Return the name of a seat's player, as long as in most lines.

    Those among the `champions` have a mark.
    """
    return Name(session.names[seat], champion=session.chairs[seat].user in champions)


def listed(session: Session, seats: Iterable[Seat], champions: Collection[UserId] = ()) -> Joined:
    """Return the names of several players with commas between them."""
    return Joined(tuple(player(session, seat, champions) for seat in seats))


def players(session: Session, seats: Iterable[Seat]) -> Joined:
    """Return the names of several players as a sentence has them: `Anna, Ben and Cleo`."""
    return Joined(tuple(player(session, seat) for seat in seats), sentence=True)


def game_name(session: Session) -> Text:
    return Text(f"game.{session.opened.game}")


@cache
def learn() -> Choice:
    """Draw the button that shows the game to a beginner, in a message of its own."""
    return Choice(Text("button.learn"), f"{ASIDE}:learn:open")


def end_round(session: Session, *, off: bool = False, urged: bool = False) -> Choice:
    """Draw the button that ends the round when all agree (A30)."""
    return _end_round(Style.PRIMARY if urged or session.end_asked else Style.SECONDARY, off)


@cache
def _end_round(style: Style, off: bool) -> Choice:  # noqa: FBT001 a key of the cache
    return Choice(Text("button.end_round"), str(a.EndRound()), style=style, off=off)


def host_line(session: Session, key: str) -> Sentence:
    """Draw a small line that names the host."""
    return sentence(key, (host_name(session),), Look.SMALL)


def rules(session: Session) -> Choice:
    """Draw the button that shows the rules to whoever presses it."""
    return _rules(session.game.key)


@cache
def _rules(game: str) -> Choice:
    return Choice(Text("button.rules"), f"{ASIDE}:rules:open:{game}")


@cache
def fair() -> Choice:
    """Draw the button that shows, to whoever presses it, how to check the deals."""
    return Choice(Text("button.fair"), f"{ASIDE}:fair:")


def promised(session: Session) -> Sentence:
    """Draw the beginning of the promise, long enough to bind the one who made it."""
    promise = short_promise(match_seed.promise(session))
    return sentence("table.promise", (("promise", promise),), Look.SMALL)


def short_promise(digest: str) -> str:
    """Return the first 160 bits of a promise in base32, RFC 4648, in small letters."""
    return b32encode(bytes.fromhex(digest)).decode()[:SHOWN].lower()


def readable(digest: str) -> str:
    """Return the first 160 bits of a hash in hexadecimal, in groups of four digits."""
    return " ".join(digest[i : i + 4] for i in range(0, READABLE, 4))


def ending_line(session: Session, reader: Seat | None = None) -> Line | None:
    """Name the players who want to end the round; None while nobody does.

    `reader`: the seat on whose panel it stands, if it stands on one.
    """
    if not session.end_asked:
        return None
    if session.end_asked == {reader}:
        return sentence("table.ending_you", look=Look.SMALL)
    asking = sorted(session.end_asked)
    values: Values = (("names", players(session, asking)), ("n", len(asking)))
    return sentence("table.ending", values, Look.SMALL)


def ended_by(session: Session, voters: Sequence[int], reader: Seat | None = None) -> Text:
    """Say who has ended a round by asking for it. `reader`: the seat that reads it."""
    if set(voters) == {reader}:
        return Text("score.ended_you", (("hand", Icon("hand")),))
    names = players(session, map(Seat, voters))
    return Text("score.ended_by", (("hand", Icon("hand")), ("names", names), ("n", len(voters))))


def dropped_line(session: Session, reader: Seat | None = None) -> Line:
    """Say that the last round was stopped, and by whom. `reader`: the seat that reads it."""
    if not session.dropped_by:
        return sentence("table.dropped")
    return sentence("table.dropped_by", (("how", ended_by(session, session.dropped_by, reader)),))


def has_left(session: Session, seat: Seat) -> Text:
    """Say that a player is out of the match: they left, or were away for too long."""
    chair = session.chairs[seat]
    values = (("flag", Icon("flag")), ("name", Name(chair.name)))
    return Text("table.was_away" if chair.away else "table.has_left", values)


def gone_line(session: Session) -> tuple[Line, ...]:
    """Name all who are out of the match, in one small line, or in none."""
    gone = [Seat(seat) for seat, chair in enumerate(session.chairs) if chair.left]
    if not gone:
        return ()
    names = dotted([has_left(session, seat) for seat in gone])
    return (Sentence(bare(names), Look.SMALL),)


def dotted(values: Sequence[Value]) -> Joined:
    """Return several values with a dot between them."""
    return Joined(tuple(values), between=" · ")


def mine(session: Session) -> Choice:
    """Draw the button that shows whoever presses it their panel: `My cards` or `My dice`."""
    return _mine(name_of_mine(session))


@cache
def _mine(name: Text) -> Choice:
    return Choice(name, str(a.ShowPanel()), style=Style.PRIMARY)
