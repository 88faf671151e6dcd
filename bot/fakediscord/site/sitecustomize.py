"""Point discord.py at the loopback Discord, once it is imported.

This happens only with FAKE_DISCORD=http://127.0.0.1:PORT in the environment.
The next sitecustomize on sys.path still runs.
"""

import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

BASE = os.environ.get("FAKE_DISCORD", "").rstrip("/")


def _patch_http(module: ModuleType) -> None:
    module.Route.BASE = BASE + "/api/v10"


def _patch_gateway(module: ModuleType) -> None:
    socket = module.DiscordWebSocket
    url_type = type(socket.DEFAULT_GATEWAY)
    socket.DEFAULT_GATEWAY = url_type(BASE.replace("http", "ws", 1) + "/gateway")


def _patch_asset(module: ModuleType) -> None:
    module.Asset.BASE = BASE


PATCHES = {
    "discord.http": _patch_http,
    "discord.gateway": _patch_gateway,
    "discord.asset": _patch_asset,
}


def _patching(
    run: Callable[[ModuleType], object], patch: Callable[[ModuleType], None]
) -> Callable[[ModuleType], None]:
    """Return a function that runs a module and then patches it."""

    def run_and_patch(module: ModuleType) -> None:
        run(module)
        patch(module)

    return run_and_patch


class _Finder:
    """Meta path hook: the normal finders do the work, the module is patched once it has run."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in PATCHES:
            return None
        for finder in sys.meta_path:
            if finder is _Finder or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                run = _patching(spec.loader.exec_module, PATCHES[name])
                spec.loader.exec_module = run  # type: ignore[method-assign, assignment] # only this loader
                return spec
        return None


def _run_next() -> None:
    here = Path(__file__).resolve().parent
    for entry in sys.path:
        file = Path(entry or ".", "sitecustomize.py")
        if file.resolve().parent != here and file.is_file():
            spec = spec_from_file_location("sitecustomize", file)
            if spec is not None and spec.loader is not None:
                spec.loader.exec_module(module_from_spec(spec))
            return


if BASE:
    if not BASE.startswith(("http://127.0.0.1:", "https://127.0.0.1:")):
        raise SystemExit(f"FAKE_DISCORD must be a loopback address, not {BASE}")
    sys.meta_path.insert(0, _Finder)
    for loaded in PATCHES.keys() & sys.modules.keys():
        PATCHES[loaded](sys.modules[loaded])
_run_next()
