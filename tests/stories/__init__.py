"""Stories of faults, and of how the bot stands them; most play in simulated time.

A story of a fault that is still open is marked `xfail(strict=True)`. Whoever mends the fault takes
the mark away, and the line in `open.py`. Its docstring says what is seen today, and what should be.
"""
