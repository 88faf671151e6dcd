"""The loopback Discord, and the tests that need a Discord behind real sockets."""
