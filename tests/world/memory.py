"""What a process remembers between requests, which must not outlive the rows it was read from."""

from __future__ import annotations


def forget() -> None:
    from house import callers, gaming_days, middleware
    from jackpot import promises, terms
    from keno import locks, shifts

    gaming_days.forget()
    callers._noted.clear()
    callers._known.clear()
    middleware._zone.cache_clear()
    terms._known.clear()
    promises._seen.clear()
    locks._sold_last = None
    shifts._held_last.clear()
