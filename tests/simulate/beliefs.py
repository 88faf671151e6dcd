"""What Discord does in an evening where nobody outside knows it: drawn from the seed."""

import random
from collections.abc import Sequence
from typing import TypeVar

from bot.fakediscord import Settings
from tests.stories.open import UNFIT

T = TypeVar("T")
UNLISTED = "attachments shown without being listed"
BRINGING = "edits that may not bring a picture"
CHANNELS = "webhook limits of a channel"


def believe(settings: Settings, seed: int) -> None:
    """Choose one of the beliefs that the stand-in knows. What a seed draws beside them stays the
    same when there is one more.
    """
    chance = random.Random(f"beliefs of {seed}")

    def one_of(kinds: Sequence[T], otherwise: T, kind: str = "") -> T:
        drawn = chance.choice(kinds)
        return otherwise if kind in UNFIT else drawn

    settings.kept_names = one_of((False, True), otherwise=True, kind=UNLISTED)
    settings.edits_show_files = one_of((True, False), otherwise=True, kind=BRINGING)
    settings.webhook_calls = one_of((None, None, 30, 60), otherwise=None, kind=CHANNELS)
    settings.old_edits = one_of((3, 3, 1, None), otherwise=3)
    settings.nonce_life = one_of((60.0, 300.0, 600.0), otherwise=300.0)
    settings.heartbeat = one_of((0.0, 0.04, 0.4, 4.0), otherwise=0.04)
