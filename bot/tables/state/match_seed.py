"""The seed of a match: how it is promised, made and published, and the chance that it gives.

It is a secret, mixed with something public that nobody can choose (`docs/chance.md`).
"""

import hmac
from hashlib import sha256

from bot.games.chance import Chance
from bot.games.chance_scheme import Scheme
from bot.games.seat_streams import SeatStreams
from bot.ids import ChannelId, MessageId
from bot.tables.state.events import Promised
from bot.tables.state.options import arena_part
from bot.tables.state.session import Phase, Session


def promised(secret: bytes) -> Promised:
    """Return the event that promises a new match its seed. `secret`: 32 unpredictable bytes."""
    return Promised(secret.hex(), Scheme.OWN)


def mixed(secret: bytes, public: str) -> bytes:
    """Return the 32 bytes of the seed: HMAC-SHA256 of the public part, keyed with the secret."""
    return hmac.digest(secret, public.encode("ascii"), "sha256")


def public_part(channel: ChannelId, message: MessageId) -> str:
    """Return the part that everybody can look up: the end of a link to the message."""
    return f"{channel}/{message}"


def arena_secret(secret: bytes, number: int) -> bytes:
    """Return the secret of an arena's table: HMAC-SHA256 of its number, keyed with the arena's."""
    return hmac.digest(secret, str(number).encode("ascii"), "sha256")


def arena_public(channel: ChannelId, message: MessageId, number: int) -> str:
    """Return the public part of an arena's table: its arena's, and its number there."""
    return f"{public_part(channel, message)}/{number}"


def promise(session: Session) -> str:
    """Return the SHA-256 of the bot's part of the seed, or of the seed where that is all of it."""
    return sha256(session.secret or session.seed).hexdigest()


def public(session: Session) -> str | None:
    """Return the part that nobody can choose. None before it is known, or without one."""
    if (of_arena := arena_part(session.options)) is not None:
        return of_arena
    if not session.published:
        return None
    first = session.published[0]
    return public_part(first.channel, first.message)


def is_of_lobby(session: Session) -> bool:
    """Return whether that part is the lobby's message, since no new one could be posted."""
    return bool(session.published) and session.published[0].message == session.published[0].lobby


def awaits_deal(session: Session) -> bool:
    """Return whether a match that has promised a secret is between Start and the first deal."""
    return session.phase is Phase.READY and not session.round and bool(session.secret)


def unanswered(session: Session) -> int:
    """Count the postings, begun before the first deal, that have no message of their own."""
    return session.postings - sum(one.message != one.lobby for one in session.published)


def is_incomplete(session: Session) -> bool:
    """Return whether the match has started, and its seed still lacks the table message."""
    return session.phase is Phase.READY and not session.seed


def next_chance(session: Session) -> Chance:
    """Return the chance for the next move of this round."""
    return chance(session, session.round, session.moves + 1)


def chance(session: Session, round_: int, move: int) -> Chance:
    """Return the chance for a round's deal (`move` 0), or for a move in it.

    The scheme that was promised decides. Under `Scheme.OWN`, `move` makes no difference.
    """
    if session.scheme is Scheme.COMMON:
        return Chance(session.seed, round_, move)
    streams = [chair.stream for chair in session.chairs]
    return SeatStreams(session.seed, round_, streams, session.started)
