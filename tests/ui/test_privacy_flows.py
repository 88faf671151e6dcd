"""What a person is told of what is stored, gets of it, and has deleted."""

import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ids import GuildId, UserId
from bot.records.models import Settings
from bot.ui.commands import privacy
from tests.store.matches import BEN, match
from tests.ui.managing import asks, forges, presses, recorded
from tests.ui.simulated import Person, SimulatedBot, buttons, simulated_bot, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


async def played(sim: SimulatedBot, person: Person) -> None:
    """A match in this server and one in another."""
    for guild in (GuildId(sim.guild.id), GuildId(sim.guild.id + 1)):
        anna = UserId(person.id)
        names = {anna: "Änna", BEN: "Ben"}
        await recorded(sim, match({anna: 9, BEN: 5}, guild=guild, names=names))


async def exported(sim: SimulatedBot, person: Person) -> tuple[str, bytes]:
    """The name of the file that came, and what is in it."""
    panel = await asks(person, "privacy")
    answer = await presses(person, panel, "Export data")
    assert answer.ephemeral
    (file,) = person.private[-1].attachments
    sent = sim.env.backend.cdn.get(file["url"])
    assert sent is not None
    return file["filename"], sent


async def test_it_is_told_in_plain_words_in_private(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    told = await asks(anna, "privacy")
    assert told.flags & 64
    for what in ("Discord ID", "last known name", "points", "15 minutes", "never store what"):
        assert what in words(told)
    assert "I keep it forever" in words(told)
    assert list(buttons(told)) == ["Export data", "Delete my data"]
    await sim.app.archive.set(GuildId(sim.guild.id), Settings(keep_logs=1))
    await sim.app.joined(GuildId(sim.guild.id))


async def test_a_copy_holds_all_servers_and_nobody_else(sim: SimulatedBot) -> None:
    anna, ben = sim.people("Anna", "Ben")
    await played(sim, anna)
    name, text = await exported(sim, anna)
    assert name.endswith(".json")
    kept = json.loads(text)
    assert next(iter(kept)) == "about"
    assert kept["about"].startswith("Everything that I store about you.")
    assert "milliseconds" in kept["about"], "all times in it are"
    assert kept["user"] == anna.id
    assert {one["server"] for one in kept["servers"]} == {sim.guild.id, sim.guild.id + 1}
    assert "Ben" not in text.decode()
    assert "Änna" in text.decode()
    _, text = await exported(sim, ben)
    assert json.loads(text)["servers"] == []


async def test_a_copy_too_big_for_discord_is_compressed(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "ROOM", 100)
    anna = sim.person("Anna")
    await played(sim, anna)
    name, text = await exported(sim, anna)
    assert name.endswith(".json.gz")
    assert json.loads(gzip.decompress(text))["user"] == anna.id


async def test_who_asks_twice_is_forgotten_everywhere(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    await played(sim, anna)
    panel = await asks(anna, "privacy")
    await presses(anna, panel, "Delete my data")
    assert "can’t undo this" in words(panel)
    assert "Messages that I’ve already posted keep your name" in words(panel)
    assert (await sim.app.archive.export(UserId(anna.id)))["servers"]
    await presses(anna, panel, "No, keep it")
    assert "Nothing changed" in words(panel)
    assert (await sim.app.archive.export(UserId(anna.id)))["servers"]
    for _ in range(2):
        panel = await asks(anna, "privacy")
        await presses(anna, panel, "Delete my data")
        await presses(anna, panel, "Yes, delete it")
        assert "Your ID and name are gone" in words(panel)
        assert not (await sim.app.archive.export(UserId(anna.id)))["servers"]
    (kept,) = (await sim.app.archive.history(GuildId(sim.guild.id), 0)).matches
    assert [seat.points for seat in kept.seats] == [9, 5], "Ben's match is as it was"


async def test_the_end_of_a_match_forgets_a_name_in_words_and_picture(sim: SimulatedBot) -> None:
    anna, ben = await sim.live("Anna", "Ben", rounds=1)
    await sim.play_out([anna, ben])
    await sim.later(4)
    (before,) = sim.public.attachments
    assert "Anna" in str(sim.public.components), "in the picture's description"
    panel = await asks(anna, "privacy")
    await presses(anna, panel, "Delete my data")
    await presses(anna, panel, "Yes, delete it")
    await sim.later(4)
    assert "Anna" not in str(sim.public.components)
    (after,) = sim.public.attachments
    assert after["filename"] != before["filename"], "the picture had her name"


async def test_an_end_drawn_while_somebody_is_forgotten_has_no_name_of_theirs(
    sim: SimulatedBot,
) -> None:
    """Tables hear of it before the records do, from which a table reads its line of ratings."""
    anna, ben = await sim.live("Anna", "Ben", rounds=3)
    await sim.play_out([anna, ben])
    await ben.leave()
    await sim.later(4)
    await sim.app.tables.forget(UserId(anna.id))
    await sim.later(4)
    assert "Rating: Anna" in words(sim.public), "drawn in between"
    await presses(anna, panel := await asks(anna, "privacy"), "Delete my data")
    await presses(anna, panel, "Yes, delete it")
    await sim.later(4)
    assert "Rating: Unknown" in words(sim.public)
    assert "Unknown wins!" in words(sim.public), "by one name in one message"
    assert "Anna" not in str(sim.public.components)


async def test_at_a_table_one_leaves_first(sim: SimulatedBot) -> None:
    """Also who has left a match that goes on: its end would write his name again."""
    anna, *others = await sim.live("Anna", "Ben", "Cem")
    await played(sim, anna)

    async def asked() -> str:
        panel = await asks(anna, "privacy")
        await presses(anna, panel, "Delete my data")
        await presses(anna, panel, "Yes, delete it")
        return words(panel)

    assert str(sim.public.id) in (said := await asked()), "with a link to the table"
    assert "still in a match" in said
    await anna.leave()
    assert "still in a match" in await asked()
    for other in others:
        await other.leave()
    await sim.later()
    assert "Your ID and name are gone" in await asked()
    assert not (await sim.app.archive.export(UserId(anna.id)))["servers"]


async def test_a_press_is_about_who_presses(sim: SimulatedBot) -> None:
    """Somebody else's press on a forged button forgets himself, not the one who asked."""
    anna, mallory = sim.people("Anna", "Mallory")
    await played(sim, anna)
    for panel in (await asks(anna, "privacy"), await asks(mallory, "privacy")):
        for word in ("really", f"really:{anna.id}", f"export:{anna.id}", "nonsense"):
            await forges(mallory, panel, f"lr1:privacy:{word}")
    assert (await sim.app.archive.export(UserId(anna.id)))["servers"]


async def test_a_failure_is_told_and_logged(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(_: int) -> None:
        raise OSError("the disk is gone")

    anna = sim.person("Anna")
    for name, labels in {
        "export": ["Export data"],
        "forget": ["Delete my data", "Yes, delete it"],
    }.items():
        monkeypatch.setattr(sim.app.archive, name, fails)
        panel = await asks(anna, "privacy")
        for label in labels:
            await presses(anna, panel, label)
        assert "Something went wrong" in words(anna.private[-1])
    assert caplog.text.count("OSError: the disk is gone") == 2
