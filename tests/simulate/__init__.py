"""The bot in simulated time: one seed, one evening.

Clock, network and disk are stand-ins on one event loop, so a seed and a commit reproduce every
failure. `python -m tests.simulate --seeds 1000` looks for new ones.
"""
