"""The number of files that this process may have open."""

from bot.store.database.error_advice import FILES

LEAST = 64
"""Files and connections with which a bot can start. Each open call to Discord takes one more."""


def too_few_files() -> str | None:
    """Return what to do if a start would fail somewhere on the way; None if there is room."""
    try:
        import resource  # noqa: PLC0415 only on POSIX
    except ImportError:
        return None
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most >= LEAST:
        return None
    return f"{FILES} (it is {most}, and the bot needs {LEAST} to start)"
