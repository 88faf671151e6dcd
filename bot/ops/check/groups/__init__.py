"""Valkey, the groups that share it, and this one's place among them, as a check shows them."""
