"""What is kept of a sealed set of tickets, so that one of them can be proven to be in it without all the others."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models

from keno.models.games import Game


class SealedTickets(models.Model):
    """The leaves of a game's set as they were sealed, in the order of their serials, and the hashes of its tiles of 256
    (`kernel.merkle`). Nothing of it is believed: a way from a leaf up to the sealed root is (`keno.sealed_set`).

    A row of its own: a million tickets leave 32 MB of leaves, of which a proof reads a tile or two, 8 kB each.
    """

    game = models.OneToOneField(Game, models.PROTECT, primary_key=True, related_name="+")
    leaves = models.BinaryField()
    tiles = models.BinaryField()
    firsts = models.TextField(help_text="the first serial of every tile, with a space between them")

    class Meta:
        triggers: ClassVar = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]
