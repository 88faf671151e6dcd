"""The rules in short, in parts: what holds at the table where somebody asks for them."""

import asyncio

from tests.loopback.players import labels
from tests.stories.arena import dealt, opened
from tests.stories.daily import Alone
from tests.stories.world import LONG, Channel, Interaction, Message, Player, World, given

PARTS = {"Basics", "Options", "Scoring"}


async def asked(player: Player, channel: Channel | None = None, **options: object) -> Message:
    """Type /rules."""
    answer = player.server.slash(player.user, channel or player.channel, "rules", options)
    return shown(await answer.wait())


def shown(answer: Interaction) -> Message:
    given(answer.original is not None, "there is an answer")
    assert answer.original is not None
    return answer.original


async def turned(player: Player, page: Message, label: str) -> str:
    """Press a part, and read what the same message says then."""
    answer = await player.server.click(player.user, page, label=label).wait()
    assert answer.ok
    await asyncio.sleep(LONG)
    return page.text


async def test_parts_are_turned_in_one_private_message(world: World) -> None:
    """They tell of the table, after a restart of the bot too."""
    anna, ben = await world.lobby("anna", "ben")
    await anna.set_option("target", "99")
    await anna.press_public("Start")
    await asyncio.sleep(LONG)
    page = shown(await ben.press_public("Rules"))
    assert page.ephemeral
    assert "A row of 5 (with 2 players)" in page.text
    assert labels(page) >= PARTS
    assert [one.label for one in page.controls if one.disabled] == ["Basics"]
    options = await turned(ben, page, "Options")
    assert "Until someone has 99 points" in options
    assert [one.label for one in page.controls if one.disabled] == ["Options"]
    before = len(world.server.panels(ben.user, ben.channel))
    await world.bot.stop()
    await world.start()
    assert "in which someone reaches 99" in await turned(ben, page, "Scoring")
    assert "still lose it" in page.text
    assert len(world.server.panels(ben.user, ben.channel)) == before
    assert not world.said()


async def test_rules_are_those_of_the_table_that_is_meant(world: World) -> None:
    """The channel's table, else the reader's own; no other game's, and no other server's."""
    anna, _ = await world.lobby("anna", "ben")
    await anna.set_option("refill", "hand")
    elsewhere = next(iter(world.server.add_guild("elsewhere").channels.values()))
    eve = world.person("eve", elsewhere)
    here, cleo = await asked(anna), world.person("cleo")
    assert "now or later" in here.text
    assert "now or later" in (await asked(cleo)).text, "who watches reads of this table too"
    beside = world.server.add_channel(next(iter(world.server.guilds.values())), "beside")
    assert "now or later" in (await asked(anna, beside)).text, "she sits at that table"
    assert "by itself" in (await asked(cleo, beside)).text, "and she doesn't"
    nowhere = await asked(eve)
    assert "by itself" in nowhere.text, "the defaults"
    assert "A row of 3 (4 with three players, 5 with two)" in nowhere.text
    assert labels(nowhere) >= {*PARTS, "Ligretto Dice", "Show me how"}
    table = next(one.custom_id for one in here.controls if one.label == "Options")
    assert table is not None
    forged = await world.server.click(eve.user, nowhere, table, stale=True).wait()
    assert forged.ok
    assert "1 to 18 rounds" in nowhere.text, "nothing of another server's table"
    dice = await asked(anna, game="dice")
    assert "12 (8 with three players, 6 with four)" in dice.text
    assert "Flip" in await turned(anna, dice, "Ligretto")


async def test_a_table_that_is_gone_leaves_the_defaults(world: World) -> None:
    (anna,) = await world.lobby("anna")
    await anna.set_option("refill", "hand")
    page = await asked(anna)
    gone = page.controls[1].custom_id
    assert gone is not None
    for number in ("99", "999999999999999"):
        sent = gone.replace(":t1", f":t{number}")
        answer = await world.server.click(anna.user, page, sent, stale=True).wait()
        assert answer.ok
        assert "host can change" in page.text
    for odd in ("basics:ligretto:x1", "all:ligretto:n", "basics:chess:n", "options:dice:t1"):
        sent = f"lr1:rules:{odd}"
        assert (await world.server.click(anna.user, page, sent, stale=True).wait()).ok
    assert not world.said()


async def test_rules_in_plain_text_are_words_alone(world: World) -> None:
    anna = world.person("anna")
    _ = await world.server.slash(anna.user, anna.channel, "plain").wait()
    page = await asked(anna)
    for label in ("Options", "Scoring", "Basics"):
        text = await turned(anna, page, label)
        assert not any(sign in text for sign in "🔴🔶🟩🔷")
        assert not any(item.disabled for item in page.controls)
        assert label not in labels(page), "the part that is shown is named above"
        assert text.startswith(f"## Ligretto: {label}")


async def test_arena_tells_its_own_rules(world: World) -> None:
    """From its message, and at the table where somebody sits, until its round is over and after."""
    people = await opened(world, "anna", "ben", "cleo")
    late = world.person("eve")
    page = shown(await late.press_public("Rules"))
    assert "(4 with three players, 5 with two)" in page.text
    assert "One round per table" in await turned(late, page, "Options")
    await dealt(*people)
    own = await asked(people[0])
    assert "A row of 4 (with 3 players)" in own.text
    assert "1 for each player behind you" in await turned(people[0], own, "Scoring")


async def test_daily_leads_to_its_rules(world: World) -> None:
    anna = Alone(world.server, world.server.user("anna"), world.channel)
    _ = await anna.page()
    page = shown(await anna.tap("Rules"))
    assert "A row of 4 (with 3 players)" in page.text
    assert "never rated" in await turned(anna, page, "Options")
    assert "8 (with 3 players)" in await turned(anna, page, "Ligretto Dice")


async def test_pages_of_earlier_versions_lead_on(world: World) -> None:
    anna = world.person("anna")
    page = await asked(anna)
    _ = await world.server.click(anna.user, page, "lr1:rules:turn:dice", stale=True).wait()
    assert page.text.startswith("## Ligretto Dice: Basics")
