"""What is done at a ticket's page while its prize is looked into (14.3)."""

from __future__ import annotations

from django.http import HttpResponseBase

from keno.hold import hold_prize, release_hold
from keno.particulars import read_serial
from keno.permissions import HOLD, VOID_WIN
from keno.void_win import propose_void_win
from web.page import Visit, done, page


@page(HOLD, post=True)
def hold(request: Visit, serial: str) -> HttpResponseBase:
    hold_prize(serial=serial, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, "It is on hold: you look into it.", "keno-ticket", read_serial(serial))


@page(HOLD, post=True)
def release(request: Visit, serial: str) -> HttpResponseBase:
    release_hold(serial=serial, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, "The hold is ended.", "keno-ticket", read_serial(serial))


@page(VOID_WIN, post=True)
def void_win(request: Visit, serial: str, game: int) -> HttpResponseBase:
    proposal = propose_void_win(serial=serial, game=game, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"Proposal {proposal.pk}: another person decides.", "approval", proposal.pk)
