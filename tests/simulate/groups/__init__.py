"""Evenings of several groups: processes of one bot, each with its own shards, file and troubles."""
