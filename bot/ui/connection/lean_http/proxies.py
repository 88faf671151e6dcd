"""Proxies: discord.py, which knows them, makes all calls where there is one."""

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_of(url: str) -> str | None:
    """Return the proxy that the environment names for a URL (`HTTPS_PROXY`, without `NO_PROXY`).

    None for one that aiohttp doesn't know, such as SOCKS.
    """
    parts = urlsplit(url)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or urlsplit(proxy).scheme not in ("http", "https") or proxy_bypass(parts.netloc):
        return None
    return proxy
