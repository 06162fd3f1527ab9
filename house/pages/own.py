"""What is somebody's own: the devices that he holds, and the tokens that he alone collects."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables

from house import device_changes, queries
from web.page import Visit, page, show
from web.view import IN_SESSION


@page(IN_SESSION)
def devices(request: Visit) -> HttpResponseBase:
    return _show(request)


@sensitive_variables("issued")
@page(IN_SESSION, post=True)
def collect(request: Visit, code: str) -> HttpResponseBase:
    issued = device_changes.collect_token(code=code, by=request.actor)
    return _show(request, code=code, token=issued.secret)


def _show(request: Visit, *, code: str = "", token: str = "") -> HttpResponseBase:
    """A fresh token is on the answer itself and nowhere else."""
    return show(
        request,
        "house/own/devices.html",
        held=queries.devices_held_by(request.user),
        due={each.device_id for each in device_changes.waiting_for(request.user)},
        code=code,
        secret=token,
        address=reverse("console:own-devices"),
    )
