"""Several processes for one bot: each is a group of its shards, with a database of its own."""
