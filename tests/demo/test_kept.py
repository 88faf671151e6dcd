"""What `--keep` keeps of the channel, as Discord would: messages, threads, files, emojis."""

from pathlib import Path

import pytest

from bot.demo import kept
from bot.demo.backend.world import DemoWorld, build
from bot.demo.web import view
from bot.fakediscord import Channel


def _thread(world: DemoWorld) -> Channel:
    thread = Channel(77, "Ligretto · Anna", world.channel.guild, 11, world.channel)
    world.server.world.keep(thread)
    return thread


async def test_another_run_finds_the_channel_as_it_was(tmp_path: Path) -> None:
    file, before = kept.beside(tmp_path / "demo.sqlite3"), build()
    server, anna = before.server, before.people["anna"]
    emoji = server.world.add_emoji("r1", "data:image/png;base64,AA==")
    server.say(anna, before.channel, "hello")
    for place in (before.channel, _thread(before), server.dm(anna)):
        server.rest.messages.create(place, {"content": f"table in {place.name}"})
    private = server.rest.messages.create(before.channel, {"content": "yours"})
    private.ephemeral_for = anna
    picture = {"id": "8", "filename": "score.png", "url": "http://x/attachments/1/8/score.png"}
    next(iter(before.channel.messages.values())).files = (picture,)
    server.blobs.update({"8": b"picture", "9": b"nobody's"})
    kept.save(before, file)
    after = build()
    kept.load(after, file)
    assert _seen(after) == {
        "game-night": ["hello", "table in game-night"],
        "Ligretto · Anna": ["table in Ligretto · Anna"],
        "dm-anna": ["table in dm-anna"],
    }
    assert after.server.blobs == {"8": b"picture"}
    assert after.server.pictures == {int(emoji["id"]): "data:image/png;base64,AA=="}
    assert after.server.world.emojis == {int(emoji["id"]): emoji}
    assert not file.exists(), "after a crash there is none"


async def test_what_cannot_be_read_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, world = tmp_path / "x.channel.json", build()
    for content in ("", "[]", '{"places": [], "messages": [{}]}'):
        file.write_text(content)
        kept.load(world, file)
        assert "posting tables again" in caplog.text
        caplog.clear()
    kept.load(world, file)
    assert not caplog.text


def _seen(world: DemoWorld) -> dict[str, list[str]]:
    anna = world.people["anna"]
    return {
        place.name: [one.content for one in view.seen(world, anna, place)]
        for place in view.places(world, anna)
    }
