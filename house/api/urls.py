"""The house's own calls, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import include, path

from house.api import approvals, days, devices, incidents, own, players

_APPROVALS = [
    path("", approvals.Approvals.as_view(), name="approvals"),
    path("<int:id>", approvals.OneApproval.as_view(), name="approval"),
    path("<int:id>/approve", approvals.Approve.as_view(), name="approval-approve"),
    path("<int:id>/reject", approvals.Reject.as_view(), name="approval-reject"),
    path("<int:id>/withdraw", approvals.Withdraw.as_view(), name="approval-withdraw"),
]
_INCIDENTS = [
    path("", incidents.Incidents.as_view(), name="incidents"),
    path("<int:id>", incidents.OneIncident.as_view(), name="incident"),
    path("<int:id>/notices", incidents.Notices.as_view(), name="incident-notices"),
    path("<int:id>/close", incidents.Close.as_view(), name="incident-close"),
]
_PLAYERS = [
    path("", players.Players.as_view(), name="players"),
    path("<str:number>", players.OnePlayer.as_view(), name="player"),
    path("<str:number>/cards", players.Cards.as_view(), name="player-cards"),
    path("<str:number>/limits", players.Limits.as_view(), name="player-limits"),
    path("<str:number>/restrictions", players.Restrictions.as_view(), name="player-restrictions"),
]
_CARDS = [
    path("<str:card>/cancel", players.Cancel.as_view(), name="card-cancel"),
    path("<str:card>/wagers", players.Wagers.as_view(), name="card-wagers"),
    path("<str:card>/returns", players.Returns.as_view(), name="card-returns"),
    path("<str:card>/chips", players.Chips.as_view(), name="card-chips"),
    path("<str:card>/deposits", players.Deposits.as_view(), name="card-deposits"),
]
_DEVICES = [
    path("", devices.Devices.as_view(), name="devices"),
    path("provision", devices.Provision.as_view(), name="device-provision"),
    path("<str:code>/roll", devices.Roll.as_view(), name="device-roll"),
    path("<str:code>/revoke", devices.Revoke.as_view(), name="device-revoke"),
]

urlpatterns = [
    path("me", own.Me.as_view(), name="me"),
    path("permissions/", own.Permissions.as_view(), name="permissions"),
    path("requests/<path:key>", own.OneRequest.as_view(), name="request"),
    path("gaming-days/current", days.CurrentGamingDay.as_view(), name="gaming-day-current"),
    path("approvals/", include(_APPROVALS)),
    path("incidents/", include(_INCIDENTS)),
    path("players/", include(_PLAYERS)),
    path("restrictions/<int:id>/lift", players.Lift.as_view(), name="restriction-lift"),
    path("cards/", include(_CARDS)),
    path("devices/", include(_DEVICES)),
]
