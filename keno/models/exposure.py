"""What a game could pay at most (``keno.rules.exposure``): its limits, and the running sums of its tickets.

No hot row (decision 4): each session of the database adds to a row of its own, and a game's sum is the sum of a few
rows. What a cancelled ticket would have added is taken off again in a row of its own, so that a cancellation waits for
no sale.
"""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models

from keno.models.games import Game
from ledger.fields import MoneyField


class GameLimits(models.Model):
    """The limits in force when the game opened, and what tickets sold for earlier games bring along into it."""

    game = models.OneToOneField(Game, models.PROTECT, primary_key=True, related_name="limits")
    way_limit = MoneyField()
    ticket_limit = MoneyField()
    game_limit = MoneyField()
    most = MoneyField()
    minors = MoneyField()
    held = MoneyField()

    class Meta:
        triggers: ClassVar = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]


class GameExposure(models.Model):
    """A part of what the tickets sold for a game could make it pay. *part*: of a session; below nothing, of a ticket
    that was cancelled."""

    pk = models.CompositePrimaryKey("game", "part")
    game = models.BigIntegerField()
    part = models.BigIntegerField()
    most = MoneyField()
    minors = MoneyField()
    held = MoneyField()

    class Meta:
        triggers: ClassVar = [pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)]
