"""The lease of a group: only one process at a time is a group, and only one group has a shard."""
