"""People signed in at the console without their passwords: as after both steps."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from house.models import SecondStep, Staff


def signed_in(person: Staff, *, second_step: bool = True, csrf: bool = False, busy: timedelta = timedelta()) -> Client:
    """*busy*: for how long nobody's activity has to be noted."""
    client = Client(enforce_csrf_checks=csrf)
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    if second_step:
        step = SecondStep.objects.filter(user=person, confirmed=True).first()
        step = step or SecondStep.objects.create(user=person, name="phone", confirmed=True)
        session["otp_device_id"] = step.persistent_id
    session["active-at"] = (timezone.now() + busy).timestamp()
    session.save()
    return client
