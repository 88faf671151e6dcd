"""A real write in each folder that the bot writes to."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from bot.store.database.error_advice import advice
from bot.store.database.path_faults import dangling, nearest, not_permitted_in


def refusal(folder: Path) -> str | None:
    """Return why nothing can be written in a folder, and what to do; None if it can.

    A file is written and removed. A missing folder is made where the bot would make it, under
    another name, and removed.
    """
    if (why := dangling(folder)) is not None:
        return why
    place = folder if os.path.lexists(folder) else nearest(folder)
    if not place.is_dir():
        return f"{place} is not a folder: move it elsewhere"
    if (why := not_permitted_in(place)) is not None:
        return why
    try:
        with (
            TemporaryDirectory(prefix=".check-", dir=place) as made,
            TemporaryFile(dir=made) as file,
        ):
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        step = f" ({said})" if (said := advice(error)) else ""
        return f"nothing can be written in {place}: {error.strerror}{step}"
    return None
