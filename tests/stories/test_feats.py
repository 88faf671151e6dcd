"""What calls people back: personal bests, the server's records, rivals and badges."""

import asyncio

from tests.stories.moderating import confirmed
from tests.stories.world import Message, Player, World, given, labels

GENEROUS = """
    CREATE TRIGGER generous AFTER INSERT ON feats BEGIN
        UPDATE feats SET points = points + 40 WHERE match_id = new.match_id AND seat = new.seat;
    END
"""
"""Best rounds have 40 points more than they were worth: a few presses make a record."""


async def answered(world: World, person: Player, command: str, **options: object) -> Message:
    """The answer to a command."""
    answer = await world.server.slash(person.user, world.channel, command, options).wait()
    await asyncio.sleep(5)
    given(answer.original is not None, "the command is answered")
    assert answer.original is not None
    return answer.original


def words(world: World) -> list[str]:
    """What every message of the channel says."""
    return [one.text for one in world.server.public(world.channel)]


async def pressed(world: World, person: Player, message: Message, label: str) -> str:
    """The words of what a button answers with."""
    answer = await world.server.click(person.user, message, label=label).wait()
    await asyncio.sleep(5)
    assert answer.original is not None
    return answer.original.text


async def won(
    world: World, anna: Player, ben: Player, *, presses: int, generous: bool = False
) -> None:
    """Anna presses so often, they end the round, and Ben leaves her the match."""
    if generous:
        world.change(GENEROUS)
    for _ in range(presses):
        given(await anna.act(), "something to press")
        await asyncio.sleep(1)
    await world.agreed([anna, ben])
    await ben.leave()
    await asyncio.sleep(10)
    given("Rematch" in labels(world.public), "the match is over")


async def voided(world: World, number: int) -> None:
    """The server's owner takes a match back."""
    assert world.channel.guild is not None
    owner = world.channel.guild.owner
    said = await confirmed(world, owner, "moderate void", match=str(number))
    given("is void" in said, "the match is void")


def shows_that_it_is_void(table: Message, winner: Player) -> None:
    """The end of a match tells of nothing that was taken back."""
    assert "Voided by a moderator." in table.text
    assert "New record!" not in table.text
    assert "server record" not in winner.panel.text


async def test_a_record_falls_at_the_table_and_comes_back_with_a_void_match(world: World) -> None:
    """Ben sees what he did against Anna, and nothing is said of records before there was one."""
    anna, ben = await world.live("anna", "ben")
    await won(world, anna, ben, presses=1, generous=True)
    assert "New record!" not in world.public.text, "the first match breaks none"
    (before,) = world.rows("SELECT max(points) FROM feats WHERE category = 'ranked'")[0]
    anna, ben = await world.live("anna", "ben")
    await won(world, anna, ben, presses=25)
    (after,) = world.rows("SELECT max(points) FROM feats WHERE category = 'ranked'")[0]
    given(after > before > 0, "Anna has played better than ever")
    told = (table := world.public).text.replace("−", "-")
    assert f"New record! Best round: **Anna**, {after:+d} (previously {before:+d})" in told
    shown = (await answered(world, ben, "records")).text.replace("−", "-")
    assert f"Best round: **Anna**, {after:+d}" in shown
    assert "Longest win streak: **Anna**, 2 wins" in shown
    assert "You and Anna: 2 matches" in (await answered(world, ben, "stats", member=anna.user)).text
    own = (await answered(world, ben, "stats")).text
    assert "You and" not in own
    assert "Favourite rival: **Anna**, 0–2 in 2 matches" in own
    said = words(world)
    await voided(world, 2)
    shown = (await answered(world, anna, "records")).text.replace("−", "-")
    assert f"Best round: **Anna**, {before:+d}" in shown
    assert "Longest win streak" not in shown
    assert len(words(world)) == len(said) + 1, "Anna asked; nothing came by itself"
    shows_that_it_is_void(table, anna)


async def test_a_round_without_a_point_is_no_record(world: World) -> None:
    """Anna presses once, they end the round, and Ben leaves: it is nobody's best."""
    anna, ben = await world.live("anna", "ben")
    await won(world, anna, ben, presses=1)
    (points,) = world.rows("SELECT max(points) FROM feats WHERE category = 'ranked'")[0]
    given(points < 0, "the round is kept with its points")
    assert "Best round" not in (await answered(world, anna, "records")).text


async def practised(world: World, *, presses: int) -> Player:
    """Anna plays a round against a robot, presses so often and leaves."""
    (anna,) = await world.lobby("anna")
    for label in ("Add robot", "Start"):
        await anna.press_public(label)
    await anna.press("Ready")
    await asyncio.sleep(5)
    for _ in range(presses):
        given(await anna.act(), "something to press")
    await world.agreed([anna])
    await anna.leave()
    await asyncio.sleep(10)
    given("Rematch" in labels(world.public), "the match is over")
    return anna


async def test_practice_counts_for_oneself(world: World) -> None:
    """A second match against the same robots tells the new best; no record is set."""
    await practised(world, presses=0)
    anna = await practised(world, presses=14)
    bests = [points for (points,) in world.rows("SELECT points FROM feats ORDER BY match_id")]
    given(bests[1] > bests[0], "the second round was better")
    assert f"New best: {bests[1]:+d} (robots: medium)".replace("-", "−") in world.public.text
    card = await answered(world, anna, "stats")
    stats = await pressed(world, anna, card, "Practice")
    assert f"robots: medium · 0 of 2 won · best round {bests[1]:+d}".replace("-", "−") in stats
    assert "Nobody has set a record here yet" in (await answered(world, anna, "records")).text
    badges = await pressed(world, anna, card, "Badges")
    assert "Badges · Anna · 0 of 21" in badges
    assert "A blink takes ten times as long" not in badges, "it is on the next page"
