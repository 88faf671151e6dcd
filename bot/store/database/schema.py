"""The migrations: numbered scripts that bring the database to this version's schema."""

from pathlib import Path

from bot.store.database.errors import DatabaseError

_PACKAGE = Path(__file__).parents[2]
_INSIDE = _PACKAGE / "migrations"
MIGRATIONS = _INSIDE if _INSIDE.is_dir() else _PACKAGE.parent / "migrations"
"""The scripts: inside the package in a wheel, beside it in a clone."""


def scripts(migrations: Path = MIGRATIONS) -> dict[int, str]:
    """Return the text of each `NNNN_*.sql` by number, in order.

    Raises DatabaseError if there are none.
    """
    files = sorted(migrations.glob("[0-9]*_*.sql"))
    if not files:
        raise DatabaseError(f"{migrations} is missing: the installation is incomplete")
    return {int(file.name.partition("_")[0]): file.read_text() for file in files}


def newest_schema() -> int:
    """Return the schema number that this version of the bot writes."""
    return max(scripts())


def newer(path: Path, schema: int, newest: int) -> DatabaseError:
    """Return the error for a file written by a newer version of the bot."""
    return DatabaseError(
        f"{path} was written by a newer version of the bot (schema {schema}, this one "
        f"knows {newest}): start the newer version, or restore an older copy"
    )
