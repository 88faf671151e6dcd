"""Files and pictures, as a client loads them."""

from aiohttp import web

from bot.fakediscord.world import World

ATTACHMENTS = "/attachments/"
PICTURES = ("/avatars", "/embed", "/emojis", "/icons", "/app-icons")
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c636000000200010005fe02fea7359d810000000049454e44ae426082"
)
"""One transparent pixel, which all pictures are."""


def asset(world: World, path: str) -> web.Response | None:
    """Return the file at a path such as /attachments/CHANNEL/ID/NAME, if there is one."""
    if path.startswith(ATTACHMENTS):
        blob = world.blobs.get(path.split("/")[3])
        return web.Response(body=blob) if blob is not None else None
    if path.startswith(PICTURES):
        return web.Response(body=PNG, content_type="image/png")
    return None
