"""The demo venue on record, for the running copy: ``@stands_on(demo_house)``."""

# Imported while pytest is configured, before Django is set up.
from __future__ import annotations

from datetime import datetime


def demo_house() -> datetime:
    """The demo venue with its links and Keno; as good as new while its game is open for as long as a new one may be."""
    from django.test import override_settings
    from django.utils import timezone

    from house import demo as house_demo
    from jackpot import demo as jackpot_demo
    from keno import demo as keno_demo
    from keno.models import Game

    with override_settings(DEMO=True):
        house_demo.build_demo()
        jackpot_demo.build_demo()
        venue = keno_demo.build_demo()
    on_sale = Game.objects.filter(status="open").first()
    return on_sale.closes_at - venue.interval / 3 if on_sale else timezone.now()
