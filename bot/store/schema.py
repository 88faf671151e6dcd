"""The migrations: numbered scripts that make the database what this version of the bot writes."""

from pathlib import Path

from bot.store.damage import DatabaseError

MIGRATIONS = Path(__file__).parents[2] / "migrations"


def scripts(migrations: Path = MIGRATIONS) -> dict[int, str]:
    """What each `NNNN_*.sql` says, in their order. Raises DatabaseError where there are none."""
    files = sorted(migrations.glob("[0-9]*_*.sql"))
    if not files:
        raise DatabaseError(f"{migrations} is missing: the bot is not installed completely")
    return {int(file.name.partition("_")[0]): file.read_text() for file in files}


def newest_schema() -> int:
    """The schema that this version of the bot writes."""
    return max(scripts())


def newer(path: Path, schema: int, newest: int) -> DatabaseError:
    """What to say of a file that a newer version has written."""
    return DatabaseError(
        f"{path} was written by a newer version of the bot (schema {schema}, this one "
        f"knows {newest}): start the newer version, or restore an older copy"
    )
