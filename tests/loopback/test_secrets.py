"""What no log may tell: the bot's token, tokens of interactions, seeds, and cards face down."""

import asyncio
import hmac
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.fakediscord import Server, Settings
from bot.store.tables.journal import KINDS
from bot.tables.state.events import Promised, Published
from bot.verify.rounds.streams import DECK, Stream
from tests.loopback.bots import bot_process
from tests.loopback.players import Player, all_ready, played_out, seated

TOKEN = ".".join(("MTIzNDU2", "never-in-a", "log-of-ours"))
IN_A_ROW = 3
"""So many cards face down, one after the other, are no chance any more."""
TROUBLES: tuple[dict[str, Any], ...] = (
    {"route": "/callback", "status": 404, "code": 10062},
    {"route": "/callback", "drop": True, "when": "after"},
    {"route": "PATCH /api/v10/webhooks", "retry_after": 0.2},
    {"route": "PATCH /api/v10/webhooks", "status": 503},
    {"route": "PATCH /api/v10/webhooks", "drop": True},
    {"route": "PATCH .*/messages", "status": 500},
    {"route": "PATCH .*/messages", "retry_after": 0.2},
)
"""Each makes the bot or discord.py write something down."""


async def test_nothing_secret_is_logged_even_when_everything_is(tmp_path: Path) -> None:
    """Two games at level DEBUG, with faults of every kind."""
    async with (
        Server(channels=2, settings=Settings(token=TOKEN)) as server,
        bot_process(server, tmp_path / "secrets.db", LOG_LEVEL="DEBUG") as bot,
    ):
        cards, dice = server.all_channels
        players = await seated(server, cards, ["anna", "ben"], 1)
        players += await seated(server, dice, ["chloe", "dario"], 2, "dice")
        for table in (players[:2], players[2:]):
            await all_ready(table)
        seeds = list(seeds_of(bot.database))
        for trouble in TROUBLES:
            await through(server, players, trouble)
        await asyncio.gather(*(played_out(player, 0.1) for player in players[:2]))
        written = bot.output
    assert "WARNING bot." in written
    assert not [part for part in TOKEN.split(".") if part in written]
    assert not [token for token in server.tokens if token in written]
    assert len(seeds) == 2 * 2
    for seed in seeds:
        assert not re.search(face_down(seed), written, re.IGNORECASE)
        assert seed.hex() not in written
        assert repr(seed)[2:-1] not in written


async def through(server: Server, players: list[Player], trouble: dict[str, Any]) -> None:
    """Presses and pushes that meet this trouble, twice, and go on after it."""
    fault = server.fault(times=2, **trouble)
    while fault.hits < 2:
        for player in players:
            _ = await player.act()
        await asyncio.sleep(2.0)  # an unknown channel takes few pushes
    server.faults.clear()


def seeds_of(database: Path) -> Iterator[bytes]:
    """Secret and seed of each match."""
    kinds = "kind IN ('Promised', 'Published')"
    with closing(sqlite3.connect(database)) as db:
        sql = f"SELECT kind, body FROM journal WHERE {kinds} ORDER BY table_id, seq"  # noqa: S608
        found = [KINDS[kind].validate_json(body) for kind, body in db.execute(sql)]
    for promised, published in zip(found[::2], found[1::2], strict=True):
        assert isinstance(promised, Promised)
        assert isinstance(published, Published)
        secret = bytes.fromhex(promised.secret)
        yield secret
        public = f"{published.channel}/{published.message}".encode()
        yield hmac.digest(secret, public, "sha256")


def face_down(seed: bytes) -> str:
    """Cards of the first seat's deck that lie one on the other, however they are written."""
    deck = Stream(seed, 1, 0, 0).shuffled(DECK)
    runs = (deck[i : i + IN_A_ROW] for i in range(5, len(deck) - IN_A_ROW))
    return "|".join(r"\b" + r"\W+".join(run) + r"\b" for run in runs)


TOLD = re.compile(r" WARNING bot\.(?!ui\.render\.emojis)")
"""A warning of a table: that there is no room for pictures is said of the whole bot."""


async def test_a_warning_says_which_table_in_which_channel_and_why(tmp_path: Path) -> None:
    async with (
        Server(channels=1) as server,
        bot_process(server, tmp_path / "why.db") as bot,
    ):
        channel = server.all_channels[0]
        players = await seated(server, channel, ["anna", "ben"], 1)
        await all_ready(players)
        await through(server, players, {"route": "PATCH .*/messages", "status": 404, "code": 50001})
        await through(server, players, {"route": "PATCH /api/v10/webhooks", "drop": True})
        warnings = [line for line in bot.output.splitlines() if TOLD.search(line)]
        assert len(warnings) >= 2
        for line in warnings:
            assert re.search(rf"table 1 in channel {channel.id}: .+: \S", line)
