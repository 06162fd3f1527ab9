"""The house's own calls, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from house.api import approvals, days, devices, incidents, own, players

urlpatterns = [
    path("me", own.Me.as_view(), name="me"),
    path("permissions/", own.Permissions.as_view(), name="permissions"),
    path("requests/<path:key>", own.OneRequest.as_view(), name="request"),
    path("gaming-days/current", days.CurrentGamingDay.as_view(), name="gaming-day-current"),
    path("approvals/", approvals.Approvals.as_view(), name="approvals"),
    path("approvals/<int:id>", approvals.OneApproval.as_view(), name="approval"),
    path("approvals/<int:id>/approve", approvals.Approve.as_view(), name="approval-approve"),
    path("approvals/<int:id>/reject", approvals.Reject.as_view(), name="approval-reject"),
    path("approvals/<int:id>/withdraw", approvals.Withdraw.as_view(), name="approval-withdraw"),
    path("incidents/", incidents.Incidents.as_view(), name="incidents"),
    path("incidents/<int:id>", incidents.OneIncident.as_view(), name="incident"),
    path("incidents/<int:id>/notices", incidents.Notices.as_view(), name="incident-notices"),
    path("incidents/<int:id>/close", incidents.Close.as_view(), name="incident-close"),
    path("players/", players.Players.as_view(), name="players"),
    path("players/<str:number>", players.OnePlayer.as_view(), name="player"),
    path("players/<str:number>/cards", players.Cards.as_view(), name="player-cards"),
    path("players/<str:number>/limits", players.Limits.as_view(), name="player-limits"),
    path("players/<str:number>/restrictions", players.Restrictions.as_view(), name="player-restrictions"),
    path("restrictions/<int:id>/lift", players.Lift.as_view(), name="restriction-lift"),
    path("cards/<str:card>/cancel", players.Cancel.as_view(), name="card-cancel"),
    path("cards/<str:card>/wagers", players.Wagers.as_view(), name="card-wagers"),
    path("cards/<str:card>/returns", players.Returns.as_view(), name="card-returns"),
    path("cards/<str:card>/chips", players.Chips.as_view(), name="card-chips"),
    path("cards/<str:card>/deposits", players.Deposits.as_view(), name="card-deposits"),
    path("devices/", devices.Devices.as_view(), name="devices"),
    path("devices/provision", devices.Provision.as_view(), name="device-provision"),
    path("devices/<str:code>/roll", devices.Roll.as_view(), name="device-roll"),
    path("devices/<str:code>/revoke", devices.Revoke.as_view(), name="device-revoke"),
]
