"""Known faults of the bot, each told by a test that plays it and fails for as long as it is there.

A story is marked `xfail(strict=True)`. Whoever mends the fault removes the mark, and the line in
`open.py` with it. Its docstring says what is seen today, and what should be seen instead.
"""
