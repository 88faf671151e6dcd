"""Order of arrival is the law: thousands of presses through discord.py's own dispatch."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Interaction, Server
from bot.games.ligretto import LIGRETTO
from bot.games.ligretto.fits import fitting, open_cards
from bot.games.ligretto.model import State
from bot.games.ligretto.rules import MoveRefusal
from bot.games.values import Refused, Seat
from bot.ids import ChannelId, UserId
from bot.tables.decisions.presence import ABSENT_AFTER
from bot.tables.presses import press
from bot.tables.presses.rate_limit import Rate
from bot.tables.running.table import Table
from bot.tables.state import match_seed
from bot.tables.state.session import Phase
from bot.ui.render.custom_ids import custom_id
from tests.games.states import ligretto_state
from tests.loopback.bots import Here, bot_here
from tests.loopback.players import all_ready, seated

PRESSES = 1_200
CONTESTED = 70
SEATS = 12
TABLES = 2
HERE = range(4)
"""Seats that stay at the table while the others are away. They never vote to end the round."""
AWAY = 8
"""Who is to be released when the first burst comes."""
VOTERS = (4, 5)
"""Who wants to end the round, or does not any more: never all who are here."""


class Bursts:
    """A table of twelve whose people all press at the same instant, again and again."""

    def __init__(self, server: Server, here: Here, table: Table) -> None:
        self.server = server
        self.here = here
        self.table = table
        self.presses = 0
        self.contested = 0
        self.expected: State | None = None
        # Which cards are pressed first is chance; what comes of it must not be.
        self.chance = random.Random(7)

    @property
    def live(self) -> bool:
        return self.table.session.phase is Phase.LIVE

    def prepare(self) -> list[Interaction]:
        """The presses of one burst, in an order of their own."""
        wanted = self.wishes()
        self.expected = self.by_the_rules(wanted)
        self.presses += len(wanted)
        return [self.press(seat, word) for seat, word in wanted]

    def wishes(self) -> list[tuple[Seat, str]]:
        """Two presses a seat: a card that fits, the one that most others have too, or a flip;
        and a flip, half of a move or a vote.
        """
        state = ligretto_state(self.table.session)
        wanted = fitting(state.centre)
        held = Counter(card for own in state.seats if own for card in {*open_cards(own).values()})
        wishes: list[tuple[Seat, str]] = []
        for seat, own in enumerate(state.seats):
            assert own is not None
            cards = [card for card in open_cards(own).values() if card in wanted and card.value > 1]
            most = max((held[card] for card in cards), default=0)
            shared = [card for card in cards if held[card] == most]
            ones = [card for card in open_cards(own).values() if card.value == 1]
            plays = [str(card) for card in (shared or ones)]
            word = self.chance.choice(plays) if plays else f"flip:{own.flips}"
            half = f"{self.chance.choice(list(open_cards(own).values()))}>"
            more = (f"flip:{own.flips}", "end" if seat in VOTERS else half)
            wishes += [(Seat(seat), word), (Seat(seat), self.chance.choice(more))]
        self.chance.shuffle(wishes)
        return wishes

    def by_the_rules(self, wishes: list[tuple[Seat, str]]) -> State | None:
        """The round after these presses one after the other, worked out by the rules alone."""
        session = self.table.session
        game, moves = LIGRETTO, session.moves
        state = ligretto_state(session)
        for seat, word in wishes:
            if word == "end" or word.endswith(">"):
                continue
            chance = match_seed.chance(session, session.round, moves + 1)
            outcome = game.play(state, seat, game.parse(word), chance)
            if isinstance(outcome, Refused):
                self.contested += outcome.why is MoveRefusal.NO_FIT
                continue
            state, moves = outcome.state, moves + len(outcome.moves)
            if game.ending(state) is not None:
                return None
        return state

    async def away(self) -> None:
        """Some are away for minutes, and one of those who are here votes to release one of them."""
        await asyncio.sleep(ABSENT_AFTER + 1)
        for seat in HERE:
            assert (await self.press(Seat(seat), "panel").wait()).ok
        absent = self.table.session.chairs[AWAY].user
        assert (await self.press(Seat(0), f"release.{absent}").wait()).ok
        assert self.table.session.release_votes == {(0, AWAY)}

    def press(self, seat: Seat, word: str) -> Interaction:
        user = self.server.users[self.table.session.chairs[seat].user or 0]
        panel = self.here.running.messages.panels.get(self.table.id, UserId(user.id))
        assert panel is not None
        assert panel.message is not None
        sent = custom_id(self.table.id, self.table.session.round, word)
        return self.server.click(user, panel.message, sent, stale=True)


async def test_who_presses_first_gets_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Winners equal the order of dispatch, and nothing lets go of the loop before `submit`.

    Each burst, over two tables, is handed to discord.py frame by frame; one turn of the loop
    later every press must be in its table's queue. Among them are votes that come and go, halves
    of moves, and somebody who was to be released. Then the round must be what the rules make of
    the presses in that order.
    """
    async with Server() as server, bot_here(server, tmp_path / "order.db") as here:
        server.limiter.enabled = False
        server.settings.ack_deadline = 60
        # Nobody presses as quickly as these do, no bot has so many at a time, and none is dropped.
        monkeypatch.setattr(press, "IN_LINE", server.settings.ack_deadline)
        here.app.tables._press_limit._rate, here.app._load.most = Rate(PRESSES, 1.0), PRESSES
        presses = contested = opened = 0
        while presses < PRESSES or contested < CONTESTED:
            tables = [live_table(server, here, opened + i) for i in range(TABLES)]
            opened += TABLES
            bursts = await asyncio.gather(*tables)
            await asyncio.gather(*(one.away() for one in bursts))
            while live := [one for one in bursts if one.live]:
                await burst(server, here, live)
            assert not any(one.table.session.release_votes for one in bursts), "they are back"
            presses += sum(one.presses for one in bursts)
            contested += sum(one.contested for one in bursts)
        assert not server.unknown
        assert not server.crashes


@contextmanager
def undelivered(server: Server) -> Iterator[None]:
    """Presses made in here reach no socket: the test hands them over itself."""
    sessions, server.gateway.sessions = server.gateway.sessions, []
    try:
        yield
    finally:
        server.gateway.sessions = sessions


async def live_table(server: Server, here: Here, number: int) -> Bursts:
    guild = server.all_channels[0].guild
    assert guild is not None
    channel = server.add_channel(guild, f"match-{number}")
    names = [f"m{number}p{i}" for i in range(SEATS)]
    variant = "expert" if number % 2 else "standard"
    players = await seated(server, channel, names, rounds=1, variant=variant)
    await all_ready(players)
    table = here.app.tables.index.at(ChannelId(channel.id))
    assert table is not None
    return Bursts(server, here, table)


async def burst(server: Server, here: Here, tables: list[Bursts]) -> None:
    """Hand every table's presses to discord.py at one instant, and compare with the rules."""
    with undelivered(server):
        records = [record for table in tables for record in table.prepare()]
    for record in records:
        payload: Any = record.payload
        here.client._connection.parse_interaction_create(payload)
    await asyncio.sleep(0)
    assert all(here.app.tables._fresh.knows(record.id) for record in records), (
        "a press let go of the loop before it was submitted"
    )
    await asyncio.gather(*(record.wait() for record in records))
    assert all(record.ok for record in records)
    for table in tables:
        assert table.table.session.state == table.expected
