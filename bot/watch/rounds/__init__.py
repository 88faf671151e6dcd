"""The rounds of a match log, step by step: which steps a picture shows, and what words say."""
