"""Marks that stand for a person without naming them."""

import hmac

from bot.daily.chain import Chain
from bot.daily.dates import DayNumber, iso
from bot.ids import UserId


def mark(key: bytes, user: UserId) -> bytes:
    """Return the mark of somebody under a day's key, which is kept no longer than the day."""
    return hmac.digest(key, str(user).encode(), "sha256")


def shared_key(chain: Chain, day: DayNumber) -> bytes:
    """Return a day's key in all groups. `chain`: the one that all of them have for the next day."""
    return hmac.digest(chain.final, f"claims of {iso(day)}".encode(), "sha256")
