from __future__ import annotations

import segno
from django.contrib import messages
from django.db.models import F, QuerySet
from django.http import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from console import words
from console.forms.devices import KINDS, RegisterForm, RollForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from house import devices
from house.models import Device, Permission
from house.refusal import NotFound

STATES = ("online", "offline", "revoked")


def _all() -> QuerySet[Device]:
    return Device.objects.annotate(last_seen=F("seen__seen_at"))


def qr(text: str, *, name: str) -> SafeString:
    """A QR code as an SVG that stands in the page itself. Its input is ours, never a visitor's markup."""
    return mark_safe(  # noqa: S308
        segno.make(text, error="m", micro=False).svg_inline(scale=4, border=0, title=name, omitsize=True)
    )


def _in_state(rows: QuerySet[Device], state: str) -> QuerySet[Device]:
    silent = devices.offline().order_by().values("pk")
    if state == "revoked":
        return rows.filter(status="revoked")
    if state == "offline":
        return rows.filter(pk__in=silent)
    return rows.filter(status="active").exclude(pk__in=silent) if state == "online" else rows


@page("devices.view")
def listing(request: Visit) -> HttpResponseBase:
    silent = set(devices.offline().values_list("pk", flat=True))
    machines = Listing(
        request,
        _all(),
        name="devices",
        order="code",
        search=("code", "name", "place"),
        filters={"kind": lambda rows, kind: rows.filter(kind=kind), "state": _in_state},
        columns=(
            Column("Code", lambda row: row.code, order="code"),
            Column("Name", lambda row: row.name, order="name"),
            Column("Kind", lambda row: row.kind, order="kind"),
            Column("Profile", lambda row: row.profile, order="profile"),
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
        "console/devices/list.html",
        listing=machines,
        offline=silent,
        kinds=KINDS,
        states=STATES,
        may_manage=request.actor.may("devices.manage"),
    )


@page("devices.manage")
def register(request: Visit) -> HttpResponseBase:
    form = RegisterForm(request.POST or None)
    if form.is_valid():
        given = form.cleaned_data
        made = attempt(form, devices.register_device, by=request.actor, **given | {"profile": given["profile"] or None})
        if made:
            return done(request, f"{made.code} {made.name} is registered.", "device", made.code)
    return show(request, "console/devices/register.html", form=form)


@page("devices.view")
def device(request: Visit, code: str) -> HttpResponseBase:
    return _show_device(request, code)


def _show_device(request: Visit, code: str, *, token: str = "", provisioning: str = "") -> HttpResponseBase:
    """The device's page. A fresh secret is on the answer itself and nowhere else: not in the session, not in a URL."""
    found = _all().filter(code=code).first()
    if found is None:
        raise NotFound("no-such-device", f"There is no device {code}.")
    now = timezone.now()
    tokens = list(found.tokens.order_by("-pk")[:20])
    for each in tokens:
        each.expired = each.expires_at is not None and each.expires_at <= now  # type: ignore[attr-defined]
    return show(
        request,
        "console/devices/device.html",
        device=found,
        offline=set(devices.offline().filter(pk=found.pk).values_list("pk", flat=True)),
        tokens=tokens,
        rights=Permission.objects.filter(grants__role_id=found.profile),
        may_manage=request.actor.may("devices.manage"),
        address=reverse("console:device", args=[code]),
        secret=token,
        code=provisioning,
        qr=qr(provisioning, name=f"Provisioning code of {code}") if provisioning else "",
        seconds=int(devices.CODE_LIFE.total_seconds()),
        roll=RollForm(),
        revoke_url=reverse("console:revoke-device", args=[code]),
        revoke_sentence=f"Revoke {found.code} {found.name}.",
    )


@page("devices.manage", post=True)
def provision(request: Visit, code: str) -> HttpResponseBase:
    issued = devices.provisioning_code(code=code, by=request.actor)
    messages.success(request, f"A code for {code}, good for {words.span(devices.CODE_LIFE)}.")
    return _show_device(request, code, provisioning=issued.secret)


@page("devices.manage", post=True)
def roll(request: Visit, code: str) -> HttpResponseBase:
    form = RollForm(request.POST)
    overlap = form.overlap_time if form.is_valid() else None
    if overlap is None:
        raise NotFound("no-such-overlap", "Choose when the old token stops from the list.")
    issued = devices.roll_token(code=code, by=request.actor, overlap=overlap)
    messages.success(request, f"{code} has a new token.")
    return _show_device(request, code, token=issued.secret)


@page("devices.manage", post=True)
def revoke(request: Visit, code: str) -> HttpResponseBase:
    devices.revoke_device(code=code, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"{code} is revoked.", "device", code)
