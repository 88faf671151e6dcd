"""The real bot on simcord's simulated Discord: people who press, and time that can be moved."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from simcord import MemberActor
from simcord.backend import serializers
from simcord.backend.models.interaction import Interaction
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env
from simcord.interactions import base_payload
from simcord.results import InteractionResult, to_discord_message

from bot.app import App
from bot.clock import Bell, SystemClock, nap
from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.groups.layout import Layout
from bot.ids import ChannelId, UserId
from bot.store.database.file import open_database
from bot.tables.presses.rate_limit import Rate
from bot.tables.running.table import Table
from bot.tables.state.session import Session
from bot.text import Text
from bot.ui.connection.client import Client
from bot.ui.render.components import note
from bot.ui.render.custom_ids import custom_id
from tests.ui import json_copies, quick_waits

json_copies.install()
quick_waits.install()
T = TypeVar("T")
EPHEMERAL = 64
COUNT = 3.5
"""Seconds that see a count-down through."""
ATTENTIVE = Skill(pace=1, attention=1)
CHANCE = Chance(bytes(32), 0, 0)


SETTLES = 600.0
"""Seconds of the machine for which simcord waits: a machine that stands still fails no test."""


class SimulatedClock(SystemClock):
    """Waits are simcord's: a sleep ends when time is moved, a parked worker holds up nobody."""

    def __init__(self) -> None:
        super().__init__()
        self.env: Env | None = None

    def now(self) -> float:
        assert self.env is not None
        return self.env.now().timestamp()

    def wall(self) -> float:
        return self.now()

    async def sleep(self, seconds: float) -> None:
        await self.park(asyncio.sleep(seconds), "sleep")

    async def nap(self, seconds: float, bell: Bell) -> None:
        await self.park(nap(seconds, bell), "nap")

    async def park(self, awaitable: Awaitable[T], reason: str) -> T:
        assert self.env is not None
        result: T = await self.env.external_wait(awaitable, reason=reason)
        return result


class Person:
    """Somebody in the channel: sees the public messages and panels of his own, and presses."""

    def __init__(self, simulated_bot: "SimulatedBot", actor: MemberActor) -> None:
        self.simulated_bot = simulated_bot
        self.actor = actor
        self.id = actor.id

    async def open(self, game: str = "ligretto") -> InteractionResult:
        return await self.actor.slash(self.simulated_bot.channel, game)

    async def on_board(self, label: str) -> InteractionResult:
        return await self._click(self.simulated_bot.public, label)

    async def leave(self) -> None:
        """Leave, and mean it where that is asked."""
        await self.on_board("Leave")
        if self.private and "Yes, leave" in buttons(self.panel):
            await self.on_panel("Yes, leave")

    async def on_panel(self, label: str) -> InteractionResult:
        return await self._click(self.panel, label)

    async def _click(self, stored: Any, label: str) -> InteractionResult:
        message = to_discord_message(self.simulated_bot.env, stored)
        return await self.actor.click(message, label=label)

    async def letter(self) -> Any:
        """A direct message of the bot's to this person."""
        user = await self.simulated_bot.env.bot.fetch_user(self.id)
        sent = await user.send(view=note(Text("help.title"), "en-US"))
        return self.simulated_bot.env.backend.messages[sent.channel.id][sent.id]

    async def press_old(self, stored: Any, custom_id: str, *values: str) -> Interaction:
        """Press a button as an older picture showed it, which may be gone by now."""
        env = self.simulated_bot.env
        env._begin_operation("old press")
        try:
            record, payload = base_payload(
                env.backend,
                type=3,
                channel_id=stored.channel_id,
                guild_id=env.backend.get_channel(stored.channel_id).guild_id,
                user_id=self.id,
                data={"custom_id": custom_id, "component_type": 3, "values": list(values)}
                if values
                else {"custom_id": custom_id, "component_type": 2},
            )
            payload["message"] = dict(serializers.message_payload(env.backend, stored))
            record.source_message_id = stored.id
            env.backend.emit("INTERACTION_CREATE", payload)
            await env._settle_internal(dispatch="old press")
        finally:
            env._end_operation()
        return record

    async def play(self) -> None:
        """One press: a card that fits, a gap, or a flip."""
        session = self.simulated_bot.session
        seat = session.seat_of(UserId(self.id))
        assert seat is not None
        view = session.game.view(session.in_play, seat)
        move = session.game.choose(view, ATTENTIVE, CHANCE)
        if move is not None:
            message = to_discord_message(self.simulated_bot.env, self.panel)
            sent = custom_id(self.simulated_bot.table.id, session.round, str(move))
            await self.actor.click(message, custom_id=sent)

    @property
    def panel(self) -> Any:
        """The newest private message of this person."""
        return self.private[-1]

    @property
    def private(self) -> list[Any]:
        """This person's private messages: each answers an interaction of his own."""
        messages = self.simulated_bot.messages(private=True)
        return [m for m in messages if m.interaction_metadata["user"]["id"] == str(self.id)]


class SimulatedBot:
    """One guild with one channel, a bot, and the people who come."""

    def __init__(self, env: Env, database: Path) -> None:
        self.env = env
        self.database = database
        self.guild: GuildHandle = env.create_guild("Home")
        self.channel: ChannelHandle = self.guild.create_text_channel("game-night")

    def person(self, name: str) -> Person:
        user = self.env.create_user(name.lower(), global_name=name)
        return Person(self, self.guild.add_member(user))

    def people(self, *names: str) -> list[Person]:
        return [self.person(name) for name in names]

    def messages(self, *, private: bool) -> list[Any]:
        """What stands in the channel, oldest first."""
        stored = self.env.backend.messages[self.channel.id].values()
        return [m for m in stored if bool(m.flags & EPHEMERAL) is private]

    @property
    def public(self) -> Any:
        return self.messages(private=False)[-1]

    @property
    def app(self) -> App:
        app = self.env.bot.owner  # type: ignore[attr-defined]
        assert isinstance(app, App)
        return app

    @property
    def table(self) -> Table:
        table = self.app.tables.index.at(ChannelId(self.channel.id))
        assert table is not None
        return table

    @property
    def session(self) -> Session:
        return self.table.session

    async def later(self, seconds: float = 1.2) -> None:
        """Let time go on: redraws, counts and computer players do their work."""
        await self.env.advance_time(seconds)

    async def restart(self) -> None:
        """The bot ends and is started again on the same database."""
        before = self.app
        clock = before._clock
        assert isinstance(clock, SimulatedClock)
        after = await app_on(self.database, clock)
        await self.env.restart_bot(client := client_of(after))
        client.dispatch("connect")
        await before.database.close()
        await self.later()

    async def lobby(self, *names: str, rounds: int = 3) -> list[Person]:
        """A table with these people in it; the first is host."""
        people = self.people(*names)
        await people[0].open()
        for person in people[1:]:
            await person.on_board("Join")
        if rounds != 3:
            await people[0].press_old(self.public, f"lg1:1:0:set.rounds={rounds}")
        await self.later()
        return people

    async def live(self, *names: str, rounds: int = 3) -> list[Person]:
        """A table in its first live round."""
        people = await self.lobby(*names, rounds=rounds)
        await people[0].on_board("Start")
        await self.later(3)
        for person in people:
            await person.on_panel("Ready")
        await self.later(COUNT)
        return people

    async def play_out(self, people: list[Person]) -> None:
        """Everybody plays what fits until the round is over."""
        number = len(self.session.history)
        for _ in range(3000):
            for person in people:
                if len(self.session.history) > number:
                    await self.later(5)
                    return
                await person.play()
        raise AssertionError("the round does not end")


def as_written(stored: Any) -> str:
    """Everything that is written on a message, as it is."""
    return "\n".join(_texts(stored.components))


def words(stored: Any) -> str:
    """Everything that is written on a message, with spaces that may break."""
    return as_written(stored).replace("\N{NO-BREAK SPACE}", " ")


def buttons(stored: Any) -> dict[str, str]:
    """The buttons that can be pressed: label and custom id."""
    return {
        one["label"]: one["custom_id"]
        for one in walk(stored.components)
        if one["type"] == 2 and not one.get("disabled")
    }


def _texts(components: list[dict[str, Any]]) -> list[str]:
    return [one["content"] for one in walk(components) if one["type"] == 10]


def walk(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for one in components:
        found.append(one)
        found += walk(one.get("components", []))
    return found


async def app_on(database: Path, clock: SimulatedClock) -> App:
    """The bot, which lets simulated people press as quickly as the machine can, and deals the
    same cards every time: what a test meets today it meets tomorrow.
    """
    numbers = count(1)
    app = App(
        await open_database(database),
        clock,
        dict,
        entropy=lambda size: next(numbers).to_bytes(size),
    )
    app.tables._press_limit._rate = Rate(100_000, 1.0)
    return app


def client_of(app: App) -> Client:
    """A client whose every call simcord answers: it stands in the place of aiohttp."""
    return Client(app, Layout(1, (0,)), is_lean=False)


@asynccontextmanager
async def simulated_bot(database: Path) -> AsyncIterator[SimulatedBot]:
    clock = SimulatedClock()
    env = Env(client_of(await app_on(database, clock)), settle_timeout=SETTLES)
    clock.env = env
    await env.start()
    this = SimulatedBot(env, database)
    try:
        yield this
        env.raise_errors()
    finally:
        app = this.app
        await env.shutdown()
        await app.database.close()
