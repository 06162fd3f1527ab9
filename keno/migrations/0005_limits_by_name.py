"""The limits of a way, a ticket and a game are called that, in their table and in the functions that hold a sale to
them. Neither figures nor locks change."""

from __future__ import annotations

import re
from importlib import import_module

from django.db import migrations

HOLD_BEFORE = import_module("keno.migrations.0001_initial").HOLD_OPEN_WITHIN
SELL_BEFORE = import_module("keno.migrations.0004_sell_at_once").SELL_AT_ONCE

COLUMNS = {"a_way": "way_limit", "a_ticket": "ticket_limit", "a_game": "game_limit"}


def _renamed(function: str) -> str:
    for before, now in COLUMNS.items():
        function = re.sub(rf"\b{before}\b", now, function)  # whole words: a price_a_game stays one
    return function


# In the sale, the limit is a column and what it is compared with, what one way could be paid, is an argument.
HOLD = _renamed(HOLD_BEFORE)
SELL = _renamed(
    SELL_BEFORE.replace("together bigint, a_way bigint", "together bigint, way_payable bigint").replace(
        "IF a_way > l.a_way", "IF way_payable > l.a_way"
    )
)
DROP = "DROP FUNCTION keno_hold_open_within; DROP FUNCTION keno_sell_at_once"


class Migration(migrations.Migration):
    dependencies = [("keno", "0004_sell_at_once")]

    operations = [
        migrations.RunSQL(DROP, f"{HOLD_BEFORE}; {SELL_BEFORE}"),
        *(migrations.RenameField("GameLimits", before, now) for before, now in COLUMNS.items()),
        migrations.RunSQL(f"{HOLD}; {SELL}", DROP),
    ]
