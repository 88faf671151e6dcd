"""The parts of the demo that need neither a bot nor a browser."""

import asyncio
import base64
import re
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from discord import http

from bot.clock import SystemClock
from bot.demo import bounds, discordpy
from bot.demo.backend import bot_runner
from bot.demo.backend.bot_runner import BotRunner
from bot.demo.backend.world import CHANNEL, GUILD, DemoWorld, build
from bot.demo.discordpy import UnfitError, pointed_at
from bot.demo.web import view
from bot.demo.web.page import ADDRESS, STATIC, Page
from bot.demo.web.page_requests import Choose, Press, Write, parse
from bot.fakediscord.constants import ComponentType
from bot.ids import ChannelId, GuildId
from bot.screen import Screen
from bot.store.database.file import open_database
from bot.store.database.query import first
from bot.store.database.writer import Writer
from bot.store.tables.paces import SqlitePaces
from bot.ui.limits.edit_budget import Budget, CountedChannel
from bot.ui.render.components import view as drawn_view
from bot.ui.render.marks import Reader
from tests.demo.support import parts
from tests.i18n import managed
from tests.real import PATIENCE
from tests.ui.records import record_screens


@pytest.fixture
def world() -> DemoWorld:
    return build()


async def test_panels_are_lively_from_the_first_minute(world: DemoWorld, tmp_path: Path) -> None:
    """The stand-in limits no channel, and the bot of the demo knows it."""
    path = tmp_path / "demo.sqlite3"
    for _ in range(2):
        await BotRunner(world, path).prepare()
    database = await open_database(path)
    try:
        paces = SqlitePaces(database.writing, Writer(database.writing, SystemClock()))
        budget = Budget(SystemClock(), paces)
        await budget.recall()
        assert budget.pace(
            CountedChannel(ChannelId(CHANNEL), ChannelId(CHANNEL), GuildId(GUILD))
        ).is_free
    finally:
        await database.close()


async def test_no_token_of_an_earlier_stand_in_is_used(world: DemoWorld, tmp_path: Path) -> None:
    """It would be refused, and the refusal be written on somebody's terminal."""
    runner = BotRunner(world, tmp_path / "demo.sqlite3")
    await runner.prepare()
    database = await open_database(tmp_path / "demo.sqlite3")
    try:
        await database.writing.executescript("""
            INSERT INTO tables (id, guild, channel, closed) VALUES (1, 77, 88, 0);
            INSERT INTO panels (table_id, user, message, token, born, locale)
                VALUES (1, 101, 98, 'token', 1.5, 'de');
            INSERT INTO arenas (id, guild, channel, game, began) VALUES (1, 77, 88, 'dice', 1);
            INSERT INTO arena_panels VALUES (1, 101, 98, 'token', 1.5, 'de');
        """)
    finally:
        await database.close()
    await runner.prepare()
    database = await open_database(tmp_path / "demo.sqlite3")
    try:
        for kept_in in ("panels", "arena_panels"):
            found = await first(database.writing, f"SELECT count(*) FROM {kept_in}")  # noqa: S608
            assert found == (0,)
    finally:
        await database.close()


def test_the_same_people_in_every_run() -> None:
    one, other = build(), build()
    assert [user.id for user in one.people.values()] == [u.id for u in other.people.values()]
    assert (one.channel.id, one.server.app_id) == (other.channel.id, other.server.app_id)


def test_only_valid_requests_are_read() -> None:
    assert parse('{"n": 1, "do": "press", "message": "12", "id": "x"}') == Press(
        n=1, do="press", message="12", id="x"
    )
    assert isinstance(
        parse('{"n": 1, "do": "choose", "message": "12", "id": "x", "values": ["3"]}'), Choose
    )
    assert isinstance(parse('{"n": 1, "do": "write", "text": "hello"}'), Write)
    for frame in (
        '{"n": 1, "do": "press", "message": "12; x", "id": "x"}',
        '{"n": -1, "do": "restart"}',
        '{"n": 1, "do": "press", "message": "12", "id": "x", "more": 1}',
        '{"n": 1, "do": "write", "text": ""}',
        "null",
    ):
        assert parse(frame) is None, frame


def test_a_world_of_one_language() -> None:
    one = build("es")
    assert {user.locale for user in one.people.values()} == {"es-ES"}
    assert one.channel.guild is not None
    assert one.channel.guild.locale == "es-ES"
    assert (one.channel.guild.name, one.channel.name) == ("Demo de Ligretto", "noche-de-juegos")
    one.speak("en")
    assert {user.locale for user in one.people.values()} == {"en-US"}
    assert one.channel.guild.locale == "en-US"
    assert view.channel(one.server.dm(one.people["anna"]), "fr")["name"] == "Messages privés"


def test_what_nobody_sees_any_more_is_forgotten(world: DemoWorld) -> None:
    anna, server, channel = world.people["anna"], world.server, world.channel
    table = server.rest.messages.create(channel, {"content": "table"})
    for number in range(bounds.TALK + 50):
        server.say(anna, channel, str(number))
    dismissed = next(message for message in channel.messages.values() if message.content == "0")
    server.dismiss(anna, dismissed)
    server.blobs.update({str(number): b"x" for number in range(bounds.FILES + 5)})
    bounds.tidy(world)
    assert len(channel.messages) == bounds.TALK + 1
    assert table.id in channel.messages
    assert not anna.hidden
    assert next(iter(server.blobs)) == "5"


async def test_files_come_from_the_page(world: DemoWorld, tmp_path: Path) -> None:
    picture = b"\x89PNG picture"
    world.server.pictures[7] = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    world.server.blobs["8"] = picture
    opened, saved = "text/plain", "application/octet-stream"
    page = Page(world, BotRunner(world, tmp_path / "x.sqlite3"))
    url = f"http://{ADDRESS}:{await page.start(0)}"
    try:
        async with aiohttp.ClientSession() as session:
            for path, kind in (
                ("/emojis/7", "image/png"),
                ("/attachments/1/8/score.png", "image/png"),
                ("/attachments/1/8/match.jsonl", opened),
                ("/attachments/1/8/data.json", opened),
                ("/attachments/1/8/score.html", saved),
                ("/attachments/1/8/score.svg", saved),
                ("/attachments/1/8/data.json.gz", saved),
            ):
                async with session.get(url + path) as reply:
                    assert (path, reply.status, reply.content_type) == (path, 200, kind)
                    assert ("Content-Disposition" in reply.headers) is (kind == saved)
                    assert await reply.read() == picture
    finally:
        await page.stop()


async def test_a_bot_that_is_still_logging_in_can_be_stopped(
    world: DemoWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_runner, "GRACE", 0.5)
    world.server.settings.rtt = 60.0
    async with world.server as server:
        with pointed_at(server.url, server.ws_url):
            life = asyncio.get_running_loop().create_task(
                BotRunner(world, tmp_path / "x.sqlite3").run()
            )
            while not server.inflight:  # noqa: ASYNC110 nothing tells of it
                await asyncio.sleep(0.01)
            life.cancel()
            await asyncio.wait({life}, timeout=PATIENCE)
            assert life.done()


def test_discord_py_is_pointed_away_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = http.Route.BASE
    with pointed_at("http://127.0.0.1:1", "ws://127.0.0.1:1/gateway"):
        assert http.Route.BASE == "http://127.0.0.1:1/api/v10"
    assert before == http.Route.BASE
    places = (*discordpy.PLACES, ("discord.http.Nowhere", http.Route, "NOWHERE"))
    monkeypatch.setattr(discordpy, "PLACES", places)
    with pytest.raises(UnfitError, match=r"discord\.http\.Nowhere"), pointed_at("", ""):
        pass


def test_the_page_draws_every_part_of_the_bots_screens() -> None:
    """None of them is left at words that it can't be shown."""
    script = (STATIC / "draw.js").read_text("utf-8")
    drawn = {int(number) for number in re.findall(r"case ([0-9]+):", script)} | {
        ComponentType.BUTTON
    }
    screens = [*map(Screen, managed.SCREENS), *record_screens()]
    views: list[Any] = [drawn_view(screen, str, Reader("en-US")) for screen in screens]
    sent = {part["type"] for one in views for part in parts({"components": one.to_components()})}
    assert ComponentType.CHANNEL_SELECT in sent
    assert sent <= drawn
