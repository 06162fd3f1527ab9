"""Promotions: terms, entries, the draw room, winners, claims, reports and tournaments."""
