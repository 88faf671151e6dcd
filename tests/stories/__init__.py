"""Known faults of the bot, each told by a test that plays it and fails for as long as it is there.

A story is marked `xfail(strict=True)`; who mends the fault takes the mark away, and the line in
`open.py` with it. Its docstring says what is seen today, and what should be seen instead.
"""
