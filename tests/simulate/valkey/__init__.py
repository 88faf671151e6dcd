"""A stand-in for Valkey in simulated time, with the commands that groups use."""

from tests.simulate.valkey.server import Valkey

__all__ = ["Valkey"]
