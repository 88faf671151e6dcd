"""People and their clients."""
