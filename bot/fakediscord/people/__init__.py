"""What people do with their clients."""
