"""What a world consists of, and its payloads."""
