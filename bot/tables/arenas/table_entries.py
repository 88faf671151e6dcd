"""The first entries of an arena's table: its people are seated, and its one round is dealt."""

from collections.abc import Sequence
from hashlib import sha256

from bot.ids import ArenaId
from bot.tables.arena.state import Arena
from bot.tables.state import events as e
from bot.tables.state import match_seed
from bot.tables.state.options import ARENA


def opening(arena_id: ArenaId, arena: Arena, number: int) -> tuple[e.Opened, Sequence[e.Entry]]:
    """Return the opening of a table that has been paired, and its first entries.

    Its secret follows from the arena's, and the public part of its seed is known: the id of the
    arena's message, and the table's number.
    """
    opened, users = arena.opened, arena.running[number]
    assert arena.message is not None, "nobody is paired before"
    public = match_seed.arena_public(opened.channel, arena.message, number)
    promise = sha256(arena.secret).hexdigest()
    table = e.Opened(
        game=opened.game,
        rules_version=opened.rules_version,
        guild=opened.guild,
        channel=opened.channel,
        host=users[0],
        locale=opened.locale,
        options={**opened.options, ARENA: public},
        arena=e.InArena(arena_id, number, promise),
    )
    secret = match_seed.arena_secret(arena.secret, number)
    seated = [e.Seated(user, arena.members[user].name) for user in users]
    ready = [e.Readied(seat) for seat in range(len(users))]
    return table, [*seated, match_seed.promised(secret), e.Started(), *ready]
