"""Whoever runs the bot chooses its secret. It may try as many as it likes: it gains nothing."""

from itertools import pairwise
from random import Random
from statistics import mean, stdev

import pytest

from bot.games.chance import Chance
from bot.ids import ChannelId, MessageId
from bot.tables.state.match_seed import mixed, public_part
from bot.verify.rounds.streams import DECK

SECRETS = 8_000
MESSAGES = 2_000
CHANNEL = ChannelId(1_420_070_400_000_000_001)
BETTER = 3.0
"""Standard deviations by which the best of so many secrets is better, where it can be known."""
SAME = 4.0
"""Standard errors within which the mean of many deals is that of chance: 1 in 16,000 is not."""


def burden(secret: bytes, message: MessageId) -> int:
    """What the first seat has in front of it, row and Ligretto pile: the lower, the better."""
    seed = mixed(secret, public_part(CHANNEL, message))
    deck = Chance(seed, 1, 0).shuffled(DECK)
    return sum(int(card[1:]) for card in deck[:15])


@pytest.fixture(scope="module")
def luck() -> Random:
    return Random(1)


def message_id(luck: Random) -> MessageId:
    """As Discord gives them: 22 bits of it nobody can foretell, even to the millisecond."""
    return MessageId((luck.getrandbits(41) << 22) | luck.getrandbits(22))


def test_the_best_of_many_secrets_is_no_better_than_any(luck: Random) -> None:
    """The secret is promised before the message is there. One that was ground for a message that
    was guessed deals as well as any other under the message that comes.
    """
    guessed = message_id(luck)
    secrets = [luck.randbytes(32) for _ in range(SECRETS)]
    found = [burden(secret, guessed) for secret in secrets]
    usual, spread = mean(found), stdev(found)
    best = min(range(SECRETS), key=found.__getitem__)
    assert usual - found[best] > BETTER * spread, "a choice that could be kept would be worth it"

    real = [burden(secrets[best], message_id(luck)) for _ in range(MESSAGES)]
    assert abs(mean(real) - usual) < SAME * spread / MESSAGES**0.5


def test_two_messages_of_one_secret_have_nothing_in_common(luck: Random) -> None:
    """Not even when they follow each other: to know one deal foretells nothing of the next."""
    secret, first = luck.randbytes(32), message_id(luck)
    found = [burden(secret, MessageId(first + i)) for i in range(MESSAGES)]
    usual, spread = mean(found), stdev(found)
    pairs = mean((a - usual) * (b - usual) for a, b in pairwise(found))
    assert abs(pairs) / spread**2 < SAME / MESSAGES**0.5
