"""Servers moved between databases: one file split into several, and several merged into one."""
