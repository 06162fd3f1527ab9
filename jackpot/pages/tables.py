"""Tables of a link: they join it, are opened, closed and suspended, and move to another."""

from __future__ import annotations

from django.http import HttpResponseBase

from house import approvals
from house.pages.proposals import proposed
from jackpot import contribute, must_hit_by_changes, permissions, queries, tables
from jackpot.claim import WHEN_WON
from jackpot.pages.forms import JoinForm, MoveForm
from jackpot.tables import close_table, join_table, move_table, open_table, suspend_table
from kernel.refusal import NotFound
from web import words
from web.page import Visit, attempt, done, page, show


@page(permissions.TABLES, post=True)
def table(request: Visit, code: str, table: str, what: str) -> HttpResponseBase:
    if what == "open":
        open_table(table=table, by=request.actor)
    elif what == "close":
        close_table(table=table, by=request.actor)
    elif what == "suspend":
        suspend_table(table=table, what=request.POST.get("comment", ""), by=request.actor)
    else:
        raise NotFound("no-such-page", "There is no such page.")
    said = {"open": "opened", "close": "closed", "suspend": "suspended; an inspector is to be told"}[what]
    return done(request, f"The jackpot of {table} is {said}.", "link", code)


@page(permissions.HELD, post=True)
def decide_held(request: Visit, number: int, what: str) -> HttpResponseBase:
    """What a controller sent and seemed too much: counted after all, or rejected for good."""
    if what not in ("release", "reject"):
        raise NotFound("no-such-page", "There is no such page.")
    batch = contribute.decide_held(batch_id=number, release=what == "release", by=request.actor)
    said = f"{words.number(batch.wagers)} wagers of {batch.table} are {'counted' if what == 'release' else 'rejected'}."
    return done(request, said, "link", batch.terms.link.code)


@page(permissions.TABLES)
def join(request: Visit, code: str) -> HttpResponseBase:
    """Where a must-hit-by jackpot is played for, a table joins with its next win, and another person decides it."""
    link = queries.find_table_link(code)
    waits = tables.joins_when_won(link)
    form = JoinForm(request.POST or None)
    if form.is_valid() and waits:
        proposal = attempt(
            form,
            approvals.propose,
            kind=must_hit_by_changes.JOINING,
            subject=link.subject,
            new={"table": form.table, "boxes": form.boxes},
            why=f"{form.table} joins {link.code}.",
            condition=WHEN_WON,
            by=request.actor,
        )
        if proposal:
            return done(request, proposed(proposal), "approval", proposal.pk)
    elif form.is_valid():
        joined = attempt(form, join_table, code=form.table, link=code, boxes=form.boxes, by=request.actor)
        if joined:
            return done(request, f"{joined} is on {link.title}.", "link", code)
    return show(request, "jackpot/join_table.html", form=form, link=link, waits=waits)


@page(permissions.TABLES)
def move(request: Visit, code: str, table: str) -> HttpResponseBase:
    link = queries.find_table_link(code)
    found = tables.find_table(table)
    if found.link != link:
        raise NotFound("no-such-table", f"There is no table {table} on {code}.")
    form = MoveForm(request.POST or None, table=found)
    if form.is_valid():
        moved = attempt(form, move_table, table=table, link=form.link, by=request.actor)
        if moved:
            return done(request, f"{table} is on {moved.link.title} now.", "link", moved.link.code)
    return show(request, "jackpot/move_table.html", form=form, link=link, table=found)
