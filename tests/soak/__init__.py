"""An evening of many tables with everything going wrong now and then, and what is left after it."""
