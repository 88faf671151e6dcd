"""Records as the bot keeps them, against those that somebody works out from logs alone."""

from tests.records.server import kept, play, worked_out
from tests.store.conftest import Store


async def test_records_are_those_of_the_logs(store: Store) -> None:
    """Of all games and variants, also once matches that held some of them were voided.

    Some best round of this evening lost points, so that a sum without them is seen.
    """
    await play(store, 12, seed=2)
    found = await kept(store)
    assert found == await worked_out(store)
    kinds = {what for *_, what in found}
    assert kinds == {"stop", "points", "duel", "streak", "come_back"}, "each was set by somebody"
