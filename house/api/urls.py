"""The house's own calls, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from house.api import approvals, days, devices, incidents, own

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
    path("devices/", devices.Devices.as_view(), name="devices"),
    path("devices/provision", devices.Provision.as_view(), name="device-provision"),
    path("devices/<str:code>/roll", devices.Roll.as_view(), name="device-roll"),
    path("devices/<str:code>/revoke", devices.Revoke.as_view(), name="device-revoke"),
]
