"""Draws that a test waits for are quicker than those of a house: imported once, before the first test."""

from __future__ import annotations

from datetime import timedelta

from keno.models import games

A_NEW_HOUSE = games.PACE_AT_FIRST
games.PACE_AT_FIRST = timedelta(milliseconds=500)
