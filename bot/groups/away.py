"""The outcome that everything which crosses groups has to expect."""


class ValkeyAwayError(Exception):
    """Valkey can't be reached. What was asked of it may have been done, or not."""

    def __str__(self) -> str:
        return "Valkey cannot be reached"
