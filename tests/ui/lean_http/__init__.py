"""The lean HTTP client against servers in memory, well-behaved and hostile."""
