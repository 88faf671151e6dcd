"""Our bot in aiofastnet's event loop, which the project does not need: see `compared.py`."""

import importlib
import runpy
from typing import Any

import uvloop

aiofastnet: Any = importlib.import_module("aiofastnet")

if __name__ == "__main__":
    vars(uvloop)["new_event_loop"] = aiofastnet.loop_factory(uvloop.new_event_loop)
    _ = runpy.run_module("bot", run_name="__main__")
