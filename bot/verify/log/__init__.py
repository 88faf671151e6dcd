"""The lines of a log as JSON values, tests of single values, and the error of a log."""
