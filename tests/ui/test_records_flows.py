"""The records on a simulated Discord: asked for with commands, and turned page by page."""

import json
import re
import zlib
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from discord import PermissionOverwrite

from bot.art import rating
from bot.ids import GuildId, UserId
from bot.records.feat_models import Best
from bot.records.models import Settings
from bot.records.periods import Period, bounds
from bot.store.records.result_writing import Report, write
from bot.tables.decisions.rated_or_practice import Standing
from bot.ui.records import rating_chart
from bot.verify.referee import Referee
from tests.store.matches import MINUTE, match
from tests.ui.managing import MODERATOR, asks, forges, presses, someone
from tests.ui.simulated import (
    COUNT,
    Person,
    SimulatedBot,
    as_written,
    buttons,
    simulated_bot,
    walk,
    words,
)


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


async def written(sim: SimulatedBot, points: Mapping[int | None, int], **more: Any) -> None:
    """A match that was played before, of this server if nothing else is said."""
    log = more.pop("log", None)
    at = int(sim.env.now().timestamp() * 1000) - more.pop("ago", 60_000)
    ids = {None if user is None else UserId(user): made for user, made in points.items()}
    found = match(ids, **{"guild": sim.guild.id, "at": at, **more})
    await sim.app.writer.write([partial(write, report=Report(found, log))])


async def played(sim: SimulatedBot, *names: str, rounds: int = 1) -> list[Person]:
    """A whole match of so many rounds, to its end."""
    people = await sim.live(*names, rounds=rounds)
    for number in range(1, rounds + 1):
        await sim.play_out(people)
        if number < rounds:
            for person in people:
                await person.on_panel("Next round")
            await sim.later(COUNT)
    await sim.later(2)
    return people


async def asked(person: Person, command: str, **options: Any) -> Any:
    """The answer to a command, as it is stored."""
    result = await person.actor.slash(person.simulated_bot.channel, command, **options)
    assert result.response is not None, "it was answered"
    return stored(person.simulated_bot, result.response.id)


def stored(sim: SimulatedBot, message: int) -> Any:
    return sim.env.backend.messages[sim.channel.id][message]


async def pressed(person: Person, message: Any, label: str) -> Any:
    """What a press on this message was answered with: another message, or the same one."""
    result = await person._click(message, label)
    return stored(person.simulated_bot, result.response.id if result.response else message.id)


def is_private(message: Any) -> bool:
    return bool(message.flags & 64)


def ranked(message: Any) -> list[list[str]]:
    """The words of the lines that begin with a medal or a place."""
    lines = words(message).splitlines()
    return [one.split() for one in lines if re.match("(🥇|🥈|🥉|#[0-9]+) ", one)]


def content(sim: SimulatedBot, message: Any) -> bytes:
    (attachment,) = message.attachments
    return bytes_of(sim, attachment)


def bytes_of(sim: SimulatedBot, attachment: Any) -> bytes:
    found = sim.env.backend.cdn.get(attachment["url"])
    assert found is not None
    return found


# -- where nothing was played ----------------------------------------------------------------


async def test_an_empty_server_has_nothing_to_show(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    assert "Nobody is ranked yet" in words(await asked(anna, "leaderboard"))
    card = await asked(anna, "stats")
    assert words(card).splitlines() == [
        "## Stats · Anna · Ligretto",
        "No leaderboard match yet.",
    ]
    assert list(buttons(card)) == ["Badges"]
    for command in ("history", "replay"):
        answer = await asked(anna, command)
        assert "No match has been finished here" in words(answer)
        assert is_private(answer)


async def test_records_lead_to_their_matches_and_to_the_other_game(sim: SimulatedBot) -> None:
    """The match opens for whoever presses; the records stay as they are for everybody."""
    anna, ben = sim.people("Anna", "Ben")
    await written(sim, {anna.id: 30, ben.id: 10}, names={anna.id: "Anna", ben.id: "Ben"})
    await written(sim, {ben.id: 40, anna.id: 10}, names={anna.id: "Anna", ben.id: "Ben"})
    await written(sim, {ben.id: 9, anna.id: 8}, game="dice")
    found = await asked(anna, "records", game="ligretto")
    assert not is_private(found)
    assert list(buttons(found)) == ["#1", "#2", "Ligretto Dice"]
    match = await pressed(ben, found, "#2")
    assert is_private(match)
    assert words(match).startswith("## Match #2")
    other = await pressed(ben, found, "Ligretto Dice")
    assert words(other).startswith("## Records · Ligretto Dice")
    assert not is_private(other)
    assert list(buttons(other)) == ["#3", "Ligretto"]
    assert "#3" in words(other)


# -- the end of a match ----------------------------------------------------------------------


async def test_the_end_of_a_match_shows_ratings_and_leads_to_the_records(sim: SimulatedBot) -> None:
    anna, _ = await played(sim, "Anna", "Ben", rounds=3)
    end = sim.public
    assert as_written(end).count("1000\u00a0→\u00a0") == 2
    assert as_written(end).count("\u00a0±\u00a0") == 2, "nobody is known well after three rounds"
    assert list(buttons(end)) == [
        *("Rematch", "My cards"),
        *("Leaderboard", "Watch", "Replay", "Fair deal?"),
    ]

    stranger = sim.person("Stranger")
    public = await pressed(stranger, end, "Leaderboard")
    assert is_private(public)
    assert len(ranked(public)) == 2
    assert "Places go by the rating minus the margin" in words(public)
    assert all("±" in row for row in ranked(public))
    assert " ± " in words(await asked(stranger, "stats", member=anna.actor))
    assert "**Stranger** isn’t ranked yet" in words(public)
    replay = await pressed(stranger, end, "Replay")
    assert is_private(replay)
    assert replay.attachments[0]["filename"] == "ligretto-match-1.jsonl"
    assert "To check it, drop the file on `bot/verify/page.html`" in words(replay)
    assert "`python -m bot verify`" in words(replay)
    assert "the one under “Fair deal?”" in words(replay)
    assert len(sim.messages(private=False)) == 2, "the message itself is as it was"


async def test_a_replay_is_a_log_that_a_referee_confirms(sim: SimulatedBot) -> None:
    anna, _ = await played(sim, "Anna", "Ben", rounds=3)
    log = content(sim, await asked(anna, "replay")).decode()
    assert content(sim, await asked(anna, "replay", match="1")).decode() == log
    referee = Referee(log).check()
    assert tuple(referee.totals) == sim.session.totals
    assert referee.start["names"] == ["Anna", "Ben"]
    assert json.loads(log.splitlines()[-1])["seed"] == sim.session.seed.hex()


async def test_a_match_is_in_every_record(sim: SimulatedBot) -> None:
    anna, ben = await played(sim, "Anna", "Ben", rounds=3)
    public = await asked(anna, "leaderboard")
    assert not is_private(public)
    assert "**Anna**: place" in words(public)
    stats = await asked(ben, "stats", game="ligretto")
    assert is_private(stats)
    assert "of 1 match (" in words(stats)
    assert not stats.attachments, "one match makes no line"
    history = await asked(ben, "history")
    assert "**#1**" in words(history)
    assert "3 rounds" in words(history)
    assert "Round 3 · " in words(await pressed(ben, history, "#1"))


async def test_after_a_restart_the_end_is_as_it_was(sim: SimulatedBot) -> None:
    anna, _ = await played(sim, "Anna", "Ben")
    before = words(sim.public)
    await sim.restart()
    assert words(sim.public) == before
    assert content(sim, await pressed(anna, sim.public, "Replay"))


async def left_at_once(sim: SimulatedBot) -> Person:
    """A match of dice whose first round one of two has left. Who has stayed."""
    anna, cem = await dice_live(sim)
    await anna.play()
    await cem.leave()
    await sim.later(4)
    return anna


async def dice_live(sim: SimulatedBot) -> tuple[Person, Person]:
    """A match of dice whose first round is live."""
    anna, cem = sim.people("Anna", "Cem")
    await anna.open("dice")
    await cem.on_board("Join")
    await sim.later()
    await anna.on_board("Start")
    await sim.later(3)
    for person in (anna, cem):
        await person.on_panel("Ready")
    await sim.later(COUNT)
    return anna, cem


async def test_a_match_left_in_its_first_round_is_in_every_record(sim: SimulatedBot) -> None:
    """In the dice game that round has no points. It is rated, and whoever left it has lost."""
    anna = await left_at_once(sim)
    end = sim.public
    assert "🏳️ Anna wins: Cem left" in words(end)
    assert "Rating: Anna 1000 → 1" in words(end)
    assert {"Rematch", "Replay", "Leaderboard", "Fair deal?"} <= set(buttons(end))
    left = "Everyone else left during a round, so it’s rated too."
    assert left in words(end)
    history = await asked(anna, "history")
    assert {left, "🏳️ Anna with 0: Cem left"} <= set(words(history).replace("-# ", "").split("\n"))
    await pressed(anna, history, "#1")
    assert "Rating: Anna" in words(history)
    assert left in words(history)
    log = content(sim, await asked(anna, "replay")).decode()
    assert Referee(log).check().reasons == {"abort": 1}
    stats = words(await asked(anna, "stats", game="dice"))
    assert "Won **1** of 1 match (100%)" in stats


async def test_a_forgotten_name_leaves_the_ratings_of_an_end(sim: SimulatedBot) -> None:
    anna = await left_at_once(sim)
    assert "Rating: Anna" in words(sim.public)
    panel = await asked(anna, "privacy")
    for label in ("Delete my data", "Yes, delete it"):
        await pressed(anna, panel, label)
    await sim.later(4)
    assert "Rating: " in words(sim.public)
    assert "Anna" not in words(sim.public)


async def test_a_match_that_is_dropped_shows_its_chance_and_nothing_else(sim: SimulatedBot) -> None:
    """Its only round was stopped before anybody pressed anything. Its deal can be checked."""
    anna, cem = await dice_live(sim)
    await cem.leave()
    await sim.later(4)
    assert "The match ended before any round was finished" in words(sim.public)
    assert {"Rematch", "Fair deal?"} <= set(buttons(sim.public))
    assert not {"Replay", "Leaderboard"} & set(buttons(sim.public))
    fair = words(await pressed(anna, sim.public, "Fair deal?"))
    assert "Seed: " in fair
    assert "replay" not in fair
    assert "No match has been finished here yet" in words(await asked(anna, "history"))
    for number in (1, 2):
        told = words(await asked(anna, "replay", match=str(number)))
        assert f"There’s no match #{number} here" in told
    await forges(anna, sim.public, f"lr1:log:{sim.table.id}")
    assert "This match has no log" in words(anna.private[-1])


async def test_a_match_left_in_its_first_round_ends_the_same_after_a_restart(
    sim: SimulatedBot,
) -> None:
    anna = await left_at_once(sim)
    before = words(sim.public)
    assert "Everyone else left during a round" in before
    await sim.restart()
    assert words(sim.public) == before
    assert content(sim, await pressed(anna, sim.public, "Replay"))


async def test_a_match_cut_short_is_told_in_the_same_words_everywhere(sim: SimulatedBot) -> None:
    people = await sim.live("Anna", "Ben")
    await sim.play_out(people)
    mod = someone(sim, "Mod", MODERATOR)
    await presses(mod, await asks(mod, "moderate close"), "Yes, close it")
    await sim.later(4)
    same = "Too short for the leaderboard, but finished rounds are rated."
    assert same in words(sim.public)
    history = words(await asked(people[0], "history"))
    assert same in history
    assert "Practice" not in history


async def test_a_match_that_is_not_rated_changes_no_rating(sim: SimulatedBot) -> None:
    people = await sim.live("Anna", "Ben", rounds=1)
    await sim.play_out(people)
    await sim.later(2)
    assert "Rating: " not in words(sim.public)
    assert "Replay" in buttons(sim.public)


async def test_a_best_round_is_compared_with_earlier_matches_here(sim: SimulatedBot) -> None:
    """Between people with those between people, but none that a moderator took back."""
    anna, ben, cem = sim.people("Anna", "Ben", "Cem")
    await written(sim, {anna.id: 5, ben.id: 7})
    await written(sim, {anna.id: 9, None: 2}, standing=Standing.PRACTICE)
    await written(sim, {anna.id: 90, ben.id: 80})
    here = GuildId(sim.guild.id)
    await sim.app.archive.void(here, 3, moderator=UserId(1), at=0)
    await written(sim, {anna.id: 1, ben.id: 1, cem.id: 1})
    bests = sim.app.archive.bests_before
    own, other = Best(5, MINUTE), Best(7)
    assert await bests(here, 4) == {anna.id: own, ben.id: other}, "Cem has played none before"
    await written(sim, {anna.id: 3, None: 5}, standing=Standing.PRACTICE)
    assert await bests(here, 5) == {anna.id: Best(9, MINUTE)}, "alone, with those alone"
    assert await bests(here, 1) == {}
    assert await bests(GuildId(here + 1), 4) == {}, "another server's match"


async def test_a_new_best_round_is_told_at_the_end(sim: SimulatedBot) -> None:
    people = await sim.live("Anna", "Ben", rounds=1)
    await written(sim, {people[0].id: -99, 2: 10}, standing=Standing.PRACTICE)
    await sim.play_out(people)
    await sim.later(3)
    assert "Personal best for Anna" in words(sim.public)
    assert "Your new personal best" in words(people[0].panel)


async def test_best_rounds_that_are_not_read_leave_the_ratings(sim: SimulatedBot) -> None:
    async def fails(guild: GuildId, number: int) -> dict[UserId, Best]:
        raise OSError("disk")

    sim.app.archive.bests_before = fails  # type: ignore[method-assign]
    await played(sim, "Anna", "Ben", rounds=3)
    assert words(sim.public).count("1000 → ") == 2


@pytest.mark.parametrize("trouble", ["broken", "slow"])
async def test_a_failing_archive_leaves_the_end_as_it_is(sim: SimulatedBot, trouble: str) -> None:
    async def fails(guild: int, table: int) -> None:
        if trouble == "broken":
            raise OSError("disk")
        await sim.app._clock.sleep(1000)

    sim.app.archive.match_of_table = fails  # type: ignore[method-assign]
    await played(sim, "Anna", "Ben")
    await sim.later(3)
    assert "👑" in words(sim.public)
    assert "Rating: " not in words(sim.public)
    assert "Leaderboard" in buttons(sim.public)


# -- the leaderboard -------------------------------------------------------------------------


async def many(sim: SimulatedBot, first: Person | None = None) -> None:
    """Twenty-two people, in two matches of which nobody lost."""
    users = [*((first.id,) if first is not None else ()), *range(1000, 1022)][:22]
    names = {user: f"Name{user % 10_000}" for user in users}
    for some in (users[:11], users[11:]):
        await written(sim, dict.fromkeys(some, 10), names=names)


async def test_pages_are_turned_by_anybody_and_keep_the_row_of_who_asked(sim: SimulatedBot) -> None:
    anna, ben = sim.people("Anna", "Ben")
    await many(sim, anna)
    public = await asked(anna, "leaderboard")
    assert len(ranked(public)) == 10
    assert "Page 1 of 3" in words(public)
    assert list(buttons(public)) == ["Next"], "there is no page before"
    for page in (2, 3):
        assert await pressed(ben, public, "Next") is public
        assert f"Page {page} of 3" in words(public)
        assert f"**Name{anna.id % 10_000}**: place" in words(public), (
            "as she was last known to Ben's press"
        )
    assert list(buttons(public)) == ["Previous"]
    assert len(ranked(public)) == 2
    await pressed(ben, public, "Previous")
    assert "Page 2 of 3" in words(public)
    assert len(sim.messages(private=False)) == 1


async def test_equals_share_a_place(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    await written(sim, {anna.id: 30, 2: 30, 3: 10}, names={anna.id: "Old", 2: "Two", 3: "Three"})
    rows = ranked(await asked(anna, "leaderboard", order="wins"))
    assert rows[0] == ["🥇", "**Anna**", "1/1"], "the name of now"
    assert rows[1] == ["🥇", "**Two**", "1/1"], "the last name known"
    assert rows[2] == ["🥉", "**Three**", "0/1"]
    rows = ranked(await asked(anna, "leaderboard", order="points"))
    assert [row[2] for row in rows] == ["10.00", "10.00", "3.33"]


async def test_a_forgotten_player_keeps_a_nameless_row(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    await written(sim, {anna.id: 10, 2: 30})
    await sim.app.archive.forget(UserId(2))
    first, _ = ranked(await asked(anna, "leaderboard"))
    assert first[:2] == ["🥇", "**Unknown**"]


async def test_the_game_is_the_one_played_last(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    await written(sim, {anna.id: 10, 2: 30}, ago=7000)
    await written(sim, {anna.id: 10, 2: 30}, game="dice")
    assert "Leaderboard · Ligretto Dice" in words(await asked(anna, "leaderboard"))
    chosen = await asked(anna, "leaderboard", game="ligretto")
    assert "Leaderboard · Ligretto\n" in words(chosen)


async def test_a_week_begins_on_the_servers_own_monday(sim: SimulatedBot) -> None:
    anna, zone = sim.person("Anna"), "Pacific/Auckland"
    await sim.app.archive.set(GuildId(sim.guild.id), Settings(time_zone=zone))
    await sim.app.joined(GuildId(sim.guild.id))
    now = int(sim.env.now().timestamp() * 1000)
    week = bounds(Period.WEEK, now, zone)
    assert week is not None
    await written(sim, {anna.id: 10, 2: 30}, ago=now - week.start + 1)
    assert "Nobody is ranked yet" in words(await asked(anna, "leaderboard", period="week"))
    await written(sim, {anna.id: 10, 2: 30}, ago=now - week.start)
    first, _ = ranked(await asked(anna, "leaderboard", period="week", order="wins"))
    assert first[-1] == "1/1"
    assert ranked(await asked(anna, "leaderboard", order="wins"))[0][-1] == "2/2"


@pytest.mark.parametrize(
    "forged",
    [
        "lr1:board:chess:all:rating:0:1",
        "lr1:board:ligretto:century:rating:0:1",
        "lr1:board:ligretto:all:height:0:1",
        "lr1:board:ligretto:all:rating:-1:1",
        "lr1:board:ligretto:all:rating:1e3:1",
        "lr1:board:ligretto:all:rating:0:99999999999999999999",
        "lr1:board:ligretto:all:rating:0",
        "lr1:board",
        "lr1:top:chess",
        "lr1:history:x",
        "lr1:match:1:2",
        "lr1:match:1:2:²",
        "lr1:replay:",
        "lr1:log:1:2",
        "lr1:nonsense:1",
    ],
)
async def test_a_button_of_no_version_is_told_as_an_older_ones(
    sim: SimulatedBot, forged: str
) -> None:
    anna = sim.person("Anna")
    await written(sim, {anna.id: 10, 2: 30})
    public = await asked(anna, "leaderboard")
    before = words(public)
    await anna.press_old(public, forged)
    assert "from an older version. Type the command again" in words(anna.panel)
    assert words(public) == before


async def test_a_page_after_the_last_is_the_last(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    await many(sim)
    own = await asked(anna, "help")
    await anna.press_old(own, f"lr1:board:ligretto:all:rating:{10**15 - 1}:{anna.id}")
    assert "Page 3 of 3" in words(own)


# -- somebody's figures ----------------------------------------------------------------------


async def test_a_card_has_a_few_lines_and_buttons_for_the_rest(sim: SimulatedBot) -> None:
    anna, ben = sim.people("Anna", "Ben")
    for points in (30, -5):
        await written(sim, {anna.id: points, ben.id: 10}, names={anna.id: "Anna", ben.id: "Ben"})
    await written(sim, {anna.id: 1, None: 2}, standing=Standing.PRACTICE)
    own = await asked(anna, "stats")
    title, rating_, *lines = words(own).splitlines()
    assert title == "## Stats · Anna · Ligretto"
    assert re.fullmatch(r"Rating \*\*[0-9]+ ± [0-9]+\*\*, place \*\*2\*\* of 2", rating_)
    *lines, moment = lines
    assert lines == [
        "Won **1** of 2 matches (50%)",
        "Win streak: **0**, longest 1",
        "Favourite rival: **Ben**, 1–1 in 2 matches",
    ]
    told = r"Best moment: a round stopped in 60.00 s, a server record \(<t:[0-9]+:d>, #1\)"
    assert re.fullmatch(told, moment)
    assert list(buttons(own)) == ["Badges", "Figures", "Practice"]
    figures = await pressed(anna, own, "Figures")
    assert is_private(figures)
    assert "```" not in words(figures)
    assert words(figures).splitlines()[1:] == [
        "Won **1** of 2 matches (50%)",
        "**4.17** points per round, best +30, worst −5",
        "Fastest stop **60.00 s**",
        "**10.0** cards played per minute",
        "Duels: **2** won (avg 40 ms), **0** lost",
        "Win streak: **0**, longest 1",
    ]
    practice = words(await pressed(anna, own, "Practice"))
    assert "1 practice match, unrated" in practice


async def test_somebody_elses_card_has_the_two_of_you(sim: SimulatedBot) -> None:
    """It is of the game in which they have met most; the button leads to the other."""
    anna, ben = sim.people("Anna", "Ben")
    named = {anna.id: "Anna", ben.id: "Ben"}
    for points in (30, -5):
        await written(sim, {anna.id: points, ben.id: 10}, names=named)
    for points in (1, 2, 3):
        await written(sim, {ben.id: points, 2: 10}, names=named, game="dice")
    card = await asked(anna, "stats", member=ben.actor)
    told = words(card)
    assert "Stats · Ben · Ligretto" in told
    assert "Best moment: +10 in one round (" in told
    assert "Favourite rival" not in told
    assert "You and Ben: 2 matches" in told
    assert "Ahead: you **1**, Ben **1**" in told
    assert "Points: you **25**, Ben **20** (+2.5 per match)" in told
    assert "Duels: you **2** (avg 40 ms), Ben **0**" in told
    assert "**2** lost" in words(await pressed(anna, card, "Figures"))
    dice = await pressed(anna, card, "Ligretto Dice")
    assert "Stats · Ben · Ligretto Dice" in words(dice)
    assert "You and Ben: no leaderboard match yet" in words(dice)
    assert "Stats · Ben · Ligretto Dice" in words(await asked(ben, "stats"))
    panel = await asked(ben, "privacy")
    for label in ("Delete my data", "Yes, delete it"):
        await pressed(ben, panel, label)
    told = words(await asked(anna, "stats", member=ben.actor))
    assert "No leaderboard match yet" in told, "nothing of it is Ben's any more"
    assert "Rating" not in told
    assert "Favourite rival" not in words(await asked(anna, "stats"))


async def test_a_rating_over_time_is_a_picture_with_words_for_it(sim: SimulatedBot) -> None:
    """Its dates are those of the server's time zone."""
    anna = sim.person("Anna")
    await sim.app.archive.set(GuildId(sim.guild.id), Settings(time_zone="Pacific/Kiritimati"))
    for points in (30, -5, 20):
        await written(sim, {anna.id: points, 2: 10})
    card = await asked(anna, "stats")
    (file,) = card.attachments
    assert file["filename"] == "rating-ligretto.png"
    (picture,) = [one for one in walk(card.components) if one["type"] == 12]
    (item,) = picture["items"]
    assert "Anna’s rating in Ligretto" in item["description"]
    assert "after each of 3 rated matches. First 1" in item["description"]
    described = item["description"].replace("\N{NO-BREAK SPACE}", " ")
    told = re.search(r"First (.*) \((.*)\), last (.*) \((.*)\), highest (.*)\.", described)
    assert told is not None
    assert all(re.fullmatch(r"\d+ ± \d+", told[part]) for part in (1, 3, 5))
    ended = sim.env.now() - timedelta(minutes=1) + timedelta(hours=14)
    assert told[2] == told[4] == f"{ended:%b} {ended.day}, {ended.year}"
    assert told[3] in words(card), "the last is the rating of now"
    assert file["description"] == item["description"]
    assert bytes_of(sim, file).startswith(b"\x89PNG")


async def test_without_a_picture_there_is_a_line_instead(sim: SimulatedBot) -> None:
    """Nobody may attach files there; elsewhere Anna reads plain text."""
    anna = sim.person("Anna")
    for points in (30, -5):
        await written(sim, {anna.id: points, 2: 10}, log=zlib.compress(b"{}"))
    await asked(anna, "plain")
    plain = await asked(anna, "stats")
    await asked(anna, "plain")
    assert (await asked(anna, "stats")).attachments
    sim.channel = sim.guild.create_text_channel(
        "quiet", overwrites={sim.guild.default_role: PermissionOverwrite(attach_files=False)}
    )
    for card in (plain, await asked(anna, "stats")):
        assert not card.attachments
        line = words(card).splitlines()[-1]
        assert re.fullmatch(r"-# Rating: first 1\d+ ± \d+ \(.*\), highest 1\d+ ± \d+", line)
    assert "Attach Files" in words(await asked(anna, "replay"))


async def test_a_picture_that_cannot_be_drawn_is_left_out(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = sim.person("Anna")
    for points in (30, -5):
        await written(sim, {anna.id: points, 2: 10})
    asked_for: list[object] = []

    async def fail(draw: object, *_: object) -> bytes:
        asked_for.append(draw)
        raise ZeroDivisionError

    monkeypatch.setattr(rating_chart, "drawn", fail)
    stats = await asked(anna, "stats")
    assert not stats.attachments
    assert "Rating: first" in words(stats)
    assert asked_for == [rating.png], "the image worker draws it, so no press waits"


# -- the history -----------------------------------------------------------------------------


async def test_the_history_is_turned_and_opened(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    for points in range(7):
        await written(sim, {anna.id: 100 + points, 2: 10}, names={anna.id: "Old", 2: "Two"})
    await sim.app.archive.void(GuildId(sim.guild.id), 6, moderator=UserId(1), at=0)
    await written(sim, {anna.id: 1, None: 2}, standing=Standing.PRACTICE)
    history = await asked(anna, "history")
    assert is_private(history)
    assert list(buttons(history)) == ["#8", "#7", "#6", "#5", "#4", "Next"]
    assert "practice: no rating" in words(history)
    assert "Robot 1 with +2" in words(history)
    assert words(history).count("Voided by a moderator") == 1
    assert "Anna with +106" in words(history)
    await pressed(anna, history, "Next")
    assert list(buttons(history)) == ["#3", "#2", "#1", "Previous"]
    await pressed(anna, history, "#2")
    assert ranked(history) == [
        ["🥇", "**Anna**", "·", "101", "points"],
        ["🥈", "**Two**", "·", "10", "points"],
    ]
    assert "-# Anna +101 · Two +10" in words(history).splitlines()
    assert "Anna\u00a0+101 · Two\u00a0+10" in as_written(history), "lines break between players"
    assert "Rating: Anna\u00a01" in as_written(history)
    assert "```" not in words(history)
    assert "Round 1 · 60 s · 🛑 Anna called Ligretto stop!" in words(history)
    assert "Rating: Anna 1" in words(history)
    assert list(buttons(history)) == ["Back"], "its log is not kept"
    await pressed(anna, history, "Back")
    assert "Page 2 of 2" in words(history)


async def test_a_match_of_another_server_is_not_there(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    elsewhere = sim.env.create_guild("Elsewhere")
    log = zlib.compress(b'{"secret": 1}')
    await written(sim, {anna.id: 5, 2: 10}, guild=elsewhere.id, log=log)
    await written(sim, {anna.id: 5, 2: 10}, log=log)
    history = await asked(anna, "history")
    await written(sim, {anna.id: 5, 2: 10}, guild=elsewhere.id, log=log)
    assert list(buttons(history)) == ["#1"]
    assert "no match #2 here" in words(await asked(anna, "replay", match="2"))
    for forged in ("lr1:match:2:0:0", "lr1:replay:2"):
        await anna.press_old(history, forged)
        assert "no match #2 here" in words(anna.panel)
        assert not anna.panel.attachments
    table = await sim.app.database.reading.execute_fetchall("SELECT table_id FROM matches")
    await anna.press_old(history, f"lr1:log:{next(iter(table))[0]}")
    assert "no log" in words(anna.panel)


async def test_a_replay_that_is_not_there_is_said_to_be(sim: SimulatedBot) -> None:
    anna = sim.person("Anna")
    await written(sim, {anna.id: 5, 2: 10})
    assert "is no longer kept" in words(await asked(anna, "replay"))
    answer = await asked(anna, "replay", match="99")
    assert "no match #99 here" in words(answer)
    assert is_private(answer)


async def test_what_fails_is_said_to_have_failed(sim: SimulatedBot) -> None:
    async def fails(*_: object) -> None:
        raise OSError("disk")

    anna = sim.person("Anna")
    sim.app.archive.history = fails  # type: ignore[assignment]
    assert "Something went wrong" in words(await asked(anna, "history"))
    (error,) = sim.env.errors
    assert "disk" in str(error)
    sim.env._errors.clear()
