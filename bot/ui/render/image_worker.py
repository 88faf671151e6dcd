"""The single worker thread that draws images.

One thread, since the allocator keeps each thread's memory: sixty scores of twelve players left the
process with 107 MB more when six threads drew them, and 9 MB when one did.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

_IMAGE_WORKER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="image worker")
_P = ParamSpec("_P")
_T = TypeVar("_T")


async def drawn(draw: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Return the image that `draw` makes, in the worker thread. Raises what `draw` raises.

    Calls run in order, one at a time. Cancelling doesn't stop a drawing that has begun.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_IMAGE_WORKER, partial(draw, *args, **kwargs))
