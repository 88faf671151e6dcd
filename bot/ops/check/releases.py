"""The version that runs, and a newer release, as a check shows them."""

from importlib.metadata import version

from bot.ops.check.finding import Finding, ok
from bot.ops.releases import upgrade
from bot.ops.releases.ask import FAILURES, newest
from bot.ops.releases.versions import is_newer
from bot.settings.home import NAME
from bot.ui.limits.errors import one_line


async def releases(url: str) -> Finding:
    """Return the version that runs and, if it can be asked for, a newer one."""
    own = version(NAME)
    if not url:
        return ok("version", own)
    try:
        release = await newest(url)
    except FAILURES as error:
        return ok("version", f"{own}; {url} doesn't name the newest: {one_line(error)}")
    if is_newer(release, own):
        return ok("version", upgrade.advice(release, own))
    return ok("version", f"{own}, the newest")
