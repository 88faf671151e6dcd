"""The outcome that everything which crosses groups has to expect."""


class ValkeyAwayError(Exception):
    """Valkey can't be reached. What was asked of it may have been done, or not."""

    def __str__(self) -> str:
        return "Valkey cannot be reached"


class NotAskedError(ValkeyAwayError):
    """Valkey could not be reached a moment ago, so it was not even asked: nothing was done."""
