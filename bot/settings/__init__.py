"""Settings, and the home of an installation that keeps them and its data."""
