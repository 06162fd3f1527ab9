"""Houses of released versions, kept small, and what becomes of them with today's code."""
