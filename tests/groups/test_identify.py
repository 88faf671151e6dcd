"""Shards of all groups identify one after the other, in each of Discord's buckets."""
