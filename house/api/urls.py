"""The house's own calls, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import include, path

from house.api import approvals, approved, books, cash_reports, days, devices, incidents, letters, matters, own, players

_APPROVALS = [
    path("", approvals.Approvals.as_view(), name="approvals"),
    path("<int:id>", approvals.OneApproval.as_view(), name="approval"),
    path("<int:id>/approve", approvals.Approve.as_view(), name="approval-approve"),
    path("<int:id>/reject", approvals.Reject.as_view(), name="approval-reject"),
    path("<int:id>/withdraw", approvals.Withdraw.as_view(), name="approval-withdraw"),
    path("<int:id>/letter", letters.OneLetter.as_view(), name="approval-letter"),
    path("<int:id>/letter/document", letters.LetterDocument.as_view(), name="approval-letter-document"),
    path("<int:id>/letter/confirm", letters.ConfirmLetter.as_view(), name="approval-letter-confirm"),
    path("<int:id>/letter/discard", letters.DiscardLetter.as_view(), name="approval-letter-discard"),
    path("<int:id>/countersign", letters.Countersign.as_view(), name="approval-countersign"),
    path("<int:id>/dispute", letters.Dispute.as_view(), name="approval-dispute"),
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
    path("<str:number>/birth", players.Birth.as_view(), name="player-birth"),
    path("<str:number>/limits", players.Limits.as_view(), name="player-limits"),
    path("<str:number>/statement", players.Statement.as_view(), name="player-statement"),
    path("<str:number>/restrictions", players.Restrictions.as_view(), name="player-restrictions"),
]
_CARDS = [
    path("<str:card>/cancel", players.Cancel.as_view(), name="card-cancel"),
    path("<str:card>/wagers", players.Wagers.as_view(), name="card-wagers"),
    path("<str:card>/returns", players.Returns.as_view(), name="card-returns"),
    path("<str:card>/chips", players.Chips.as_view(), name="card-chips"),
    path("<str:card>/deposits", players.Deposits.as_view(), name="card-deposits"),
]
_CASH = [
    path("reports", cash_reports.Reports.as_view(), name="cash-reports"),
    path("reports/file", cash_reports.DueFile.as_view(), name="cash-reports-file"),
    path("reports/<int:id>", cash_reports.OneReport.as_view(), name="cash-report"),
    path("reports/<int:id>/file", cash_reports.ReportFile.as_view(), name="cash-report-file"),
    path("reports/<int:id>/sent", cash_reports.Sent.as_view(), name="cash-report-sent"),
    path("structuring", cash_reports.Hints.as_view(), name="cash-structuring"),
    path("matters", matters.Matters.as_view(), name="cash-matters"),
    path("matters/file", matters.OpenFile.as_view(), name="cash-matters-file"),
    path("matters/<int:id>", matters.OneMatter.as_view(), name="cash-matter"),
    path("matters/<int:id>/file", matters.MatterFile.as_view(), name="cash-matter-file"),
    path("matters/<int:id>/sent", matters.MatterSent.as_view(), name="cash-matter-sent"),
    path("matters/<int:id>/dismiss", matters.Dismiss.as_view(), name="cash-matter-dismiss"),
    path("matters/<int:id>/agree", matters.Agree.as_view(), name="cash-matter-agree"),
]
_DEVICES = [
    path("", devices.Devices.as_view(), name="devices"),
    path("provision", devices.Provision.as_view(), name="device-provision"),
    path("<str:code>/collect", devices.Collect.as_view(), name="device-collect"),
    path("<str:code>/roll", devices.Roll.as_view(), name="device-roll"),
    path("<str:code>/revoke", devices.Revoke.as_view(), name="device-revoke"),
]

urlpatterns = [
    path("me", own.Me.as_view(), name="me"),
    path("permissions/", own.Permissions.as_view(), name="permissions"),
    path("requests/<path:key>", own.OneRequest.as_view(), name="request"),
    path("gaming-days/current", days.CurrentGamingDay.as_view(), name="gaming-day-current"),
    path("approvals/", include(_APPROVALS)),
    path("approved-values/", approved.ApprovedValues.as_view(), name="approved-values"),
    path("incidents/", include(_INCIDENTS)),
    path("players/", include(_PLAYERS)),
    path("restrictions/<int:id>/confirm", players.Confirm.as_view(), name="restriction-confirm"),
    path("restrictions/<int:id>/lift", players.Lift.as_view(), name="restriction-lift"),
    path("cards/", include(_CARDS)),
    path("devices/", include(_DEVICES)),
    path("cash/", include(_CASH)),
    path("books/reports", books.BooksReports.as_view(), name="books-reports"),
    path("books/reports/<str:name>", books.BooksReport.as_view(), name="books-report"),
]
