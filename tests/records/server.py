"""A server's evenings in a real database: matches of several people, some voided later."""

from random import Random

from bot.ids import UserId
from bot.records.feats import variants
from bot.tables.state.session import Phase
from tests.records.keeper import Filed, Held, Keeper, Key
from tests.records.played import GUILD, PlayedMatches
from tests.store.conftest import Store

PEOPLE = tuple(UserId(one) for one in range(1, 6))
LOGGED = {"ligretto": "cards", "dice": "dice"}
"""What a log calls a game."""


async def play(store: Store, matches: int, seed: int) -> None:
    """Play matches that count, and void one in twelve, the holders of records first."""
    luck, played = Random(seed), PlayedMatches(store.journal, seed)
    for number in range(1, matches + 1):
        game = luck.choice(("ligretto", "dice"))
        cards = {"rounds": "3", "variant": luck.choice(("standard", "standard", "expert"))}
        options = cards if game == "ligretto" else {"rounds": "3"}
        users = luck.sample(PEOPLE, luck.choice((2, 2, 3)))
        computers = luck.choice((0, 0, 1))
        table = await played.sit(game, users, computers=computers, options=options)
        while table.session.phase is not Phase.OVER:
            without = users[1:2] if luck.random() < 0.1 and table.session.round else ()
            await played.begin(table, without=without)
            await played.play(table, presses=luck.randint(5, 60) if luck.random() < 0.1 else 10_000)
            if table.session.phase is Phase.LIVE:
                await played.press(table, luck.choice(users), "leave.yes")
                await played.play(table)
        if number % 12 == 0:
            await void_a_record(store, luck)


async def void_a_record(store: Store, luck: Random) -> None:
    held = list((await kept(store)).values())
    if held:
        _, match, _ = luck.choice(held)
        assert await store.archive.void(GUILD, match, moderator=UserId(9), at=0)


async def kept(store: Store) -> dict[Key, Held]:
    """The records as the bot has them."""
    return {
        (LOGGED[game], variant, one.feat.value): (one.value, one.match, one.holder.user)
        for game in LOGGED
        for variant in variants(game)
        for one in await store.archive.server_records(GUILD, game, variant)
    }


async def worked_out(store: Store) -> dict[Key, Held]:
    """The records that all logs of matches that count add up to."""
    filed = []
    for (number,) in await store.rows("SELECT id FROM matches WHERE standing = 'rated'"):
        assert isinstance(number, int)
        log = await store.archive.match_log(GUILD, number, "?")
        assert log is not None
        seats = (await store.archive.match(GUILD, number)).match.seats  # type: ignore[union-attr]
        users = [seat.person.user if seat.person else None for seat in seats]
        filed.append(Filed(number, log, users))
    return Keeper().file(filed).records
