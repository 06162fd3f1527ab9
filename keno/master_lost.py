"""A master that does not open stops the draw: said once, as an incident. An inspector gives it back from escrow."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from draws.masters import MasterLost
from house.incidents import open_incident
from house.models import Incident, IncidentStatus
from keno.incident_kinds import MASTER_LOST
from kernel.actors import system

_TELLER: Final = system("keno-draw")


@transaction.atomic
def tell_master_lost(lost: MasterLost) -> None:
    what = str(lost)
    if not Incident.objects.filter(kind=MASTER_LOST, what=what, status=IncidentStatus.OPEN).exists():
        open_incident(kind=MASTER_LOST, what=what, by=_TELLER)
