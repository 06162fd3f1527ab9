from __future__ import annotations

from typing import Any

import segno
from django.contrib import messages
from django.http import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from house import approvals, devices, queries, steps
from house.device_changes import HOLDING, NEW_DEVICE, NEW_TOKEN, TABLES
from house.pages import proposals
from house.pages.forms.devices import (
    KINDS,
    HolderForm,
    NewDeviceForm,
    RegisterForm,
    RollForm,
    TablesForm,
    TokenForm,
)
from house.permissions import MANAGE_DEVICES, VIEW_DEVICES
from kernel.refusal import NotFound
from web import words
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show

STATES = ("online", "offline", "revoked")


def qr(text: str, *, name: str) -> SafeString:
    """A QR code as an SVG that stands in the page itself. Its input is ours, never a visitor's markup."""
    return mark_safe(  # noqa: S308
        segno.make(text, error="m", micro=False).svg_inline(scale=4, border=0, title=name, omitsize=True)
    )


@page(VIEW_DEVICES)
def listing(request: Visit) -> HttpResponseBase:
    silent = queries.silent_devices()
    machines = Listing(
        request,
        queries.all_devices(),
        name="devices",
        order="code",
        search=("code", "name", "place"),
        filters={"kind": lambda rows, kind: rows.filter(kind=kind), "state": queries.devices_in_state},
        columns=(
            Column("Code", lambda row: row.code, order="code"),
            Column("Name", lambda row: row.name, order="name"),
            Column("Kind", lambda row: row.kind, order="kind"),
            Column("Profile", lambda row: row.profile, order="profile"),
            Column("Held by", lambda row: row.holder.name if row.holder else "", order="holder__name"),
            Column("Place", lambda row: row.place, order="place"),
            Column(
                "State",
                lambda row: "revoked" if row.status == "revoked" else "offline" if row.pk in silent else "online",
            ),
            Column("Last seen", lambda row: row.last_seen, shown=False),
        ),
    )
    if machines.wants_csv:
        return machines.csv()
    return show(
        request,
        "house/devices/list.html",
        listing=machines,
        offline=silent,
        kinds=KINDS,
        states=STATES,
        steps=steps.devices_steps(request.actor),
    )


@page(MANAGE_DEVICES)
def register(request: Visit) -> HttpResponseBase:
    form = RegisterForm(request.POST or None)
    if form.is_valid():
        made = attempt(
            form, devices.register_device, name=form.name, kind=form.kind, place=form.place, by=request.actor
        )
        if made:
            return done(request, f"{made.code} {made.name} is registered.", "device", made.code)
    return show(request, "house/devices/register.html", form=form)


def _proposed(request: Visit, form: Any, *, kind: str, subject: str | None) -> HttpResponseBase | None:
    if not form.is_valid():
        return None
    about = form.holder if subject is None else subject
    proposal = attempt(form, approvals.propose, kind=kind, subject=about, new=form.new, why=form.why, by=request.actor)
    return done(request, "Proposed. Needs a second person.", "approval", proposal.pk) if proposal else None


@page(MANAGE_DEVICES)
def propose_new(request: Visit) -> HttpResponseBase:
    """A privileged device: one person proposes it, another decides, its holder collects the token."""
    form = NewDeviceForm(request.POST or None)
    return _proposed(request, form, kind=NEW_DEVICE, subject=None) or show(
        request,
        "house/devices/propose.html",
        form=form,
        heading="Propose a privileged device",
        lead="It acts as the person who holds it. Another person decides, who is not the holder; the holder then "
        "collects the token himself.",
    )


@page(MANAGE_DEVICES)
def propose(request: Visit, code: str, what: str) -> HttpResponseBase:
    """A change of one device that needs a second person."""
    found = queries.device_coded(code)
    if f"propose-{what}" not in steps.device_steps(found, request.actor):
        raise NotFound("no-such-proposal", f"There is nothing of the kind to propose for {code}.")
    now = {
        "holder": found.holder.username if found.holder else "",
        "profile": found.profile,
        "tables": ", ".join(found.tables or ()),
    }
    kind, sheet, heading, lead = _PROPOSALS[what]
    form = sheet(request.POST or None, initial=now)
    return _proposed(request, form, kind=kind, subject=f"device:{code}") or show(
        request, "house/devices/propose.html", form=form, device=found, heading=f"{heading} {code}", lead=lead
    )


_PROPOSALS: dict[str, tuple[str, type[Any], str, str]] = {
    "token": (
        NEW_TOKEN,
        TokenForm,
        "Propose a new token for",
        "Another person decides, who is not the holder. The new token is shown to the holder alone.",
    ),
    "holder": (
        HOLDING,
        HolderForm,
        "Propose another holder for",
        "Another person decides, who is neither the old holder nor the new one. The tokens it has stop then, and the "
        "new holder collects his own.",
    ),
    "tables": (
        TABLES,
        TablesForm,
        "Propose the tables of",
        "Another person decides. The device works at these tables and at no other.",
    ),
}


@page(VIEW_DEVICES)
def device(request: Visit, code: str) -> HttpResponseBase:
    return _show_device(request, code)


def _show_device(request: Visit, code: str, *, token: str = "", provisioning: str = "") -> HttpResponseBase:
    """The device's page. A fresh secret is on the answer itself and nowhere else: not in the session, not in a URL."""
    found = queries.device_coded(code)
    now = timezone.now()
    tokens = list(found.tokens.order_by("-pk")[:20])
    for each in tokens:
        each.expired = each.expires_at is not None and each.expires_at <= now  # type: ignore[attr-defined]
    return show(
        request,
        "house/devices/device.html",
        device=found,
        offline=queries.silent_devices(),
        tokens=tokens,
        rights=queries.rights_of(found.profile),
        history=proposals.described(approvals.history(subject=f"device:{code}")[:20]),
        steps=steps.device_steps(found, request.actor),
        address=reverse("console:device", args=[code]),
        secret=token,
        code=provisioning,
        qr=qr(provisioning, name=f"Provisioning code of {code}") if provisioning else "",
        seconds=int(devices.CODE_LIFE.total_seconds()),
        roll=RollForm(),
        revoke_url=reverse("console:revoke-device", args=[code]),
        revoke_sentence=f"Revoke {found.code} {found.name}.",
        revoke_then="Its tokens and codes stop at once, and it never calls again. This cannot be undone; a replacement "
        "is registered as a new device.",
    )


@page(MANAGE_DEVICES, post=True)
def provision(request: Visit, code: str) -> HttpResponseBase:
    issued = devices.provisioning_code(code=code, by=request.actor)
    messages.success(request, f"A code for {code}, good for {words.span(devices.CODE_LIFE)}.")
    return _show_device(request, code, provisioning=issued.secret)


@page(MANAGE_DEVICES, post=True)
def roll(request: Visit, code: str) -> HttpResponseBase:
    form = RollForm(request.POST)
    overlap = form.overlap_time if form.is_valid() else None
    if overlap is None:
        raise NotFound("no-such-overlap", "Choose when the old token stops from the list.")
    issued = devices.roll_token(code=code, by=request.actor, overlap=overlap)
    messages.success(request, f"{code} has a new token.")
    return _show_device(request, code, token=issued.secret)


@page(MANAGE_DEVICES, post=True)
def revoke(request: Visit, code: str) -> HttpResponseBase:
    devices.revoke_device(code=code, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"{code} is revoked.", "device", code)
