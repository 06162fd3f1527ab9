"""What is somebody's own: the devices that he holds, and the tokens that he alone collects."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables

from house import device_changes, queries, staff
from web.languages import LANGUAGES
from web.page import Visit, done, page, show
from web.view import IN_SESSION


@page(IN_SESSION)
def devices(request: Visit) -> HttpResponseBase:
    """And the language in which the pages are read, which is chosen here."""
    if "language" in request.POST:
        staff.choose_language(staff=request.user, language=request.POST["language"])
        return done(request, "The pages that are translated are shown in it from now on.", "own-devices")
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
        languages=LANGUAGES,
    )
