"""What a process remembers between requests, which must not outlive the rows it was read from."""

from __future__ import annotations


def forget() -> None:
    from draws import watch as draws_watch
    from house import callers, gaming_days, middleware
    from house import tick as house_tick
    from jackpot import promises, terms
    from keno import locks, shifts
    from promotions import tick as promotions_tick
    from web import tick as web_tick

    for looks in (house_tick, draws_watch, promotions_tick, web_tick):
        looks.LOOK.forget()
    gaming_days.forget()
    callers._noted.clear()
    callers._known.clear()
    middleware._zone.cache_clear()
    terms._known.clear()
    promises._seen.clear()
    locks._sold_last = None
    shifts._held_last.clear()
