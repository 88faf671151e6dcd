"""Newer releases: asked for, compared, and how to upgrade to one."""
