"""Promotions' calls, under ``/api/v1/``. Codes are capitals, so that no promotion is called like a word below."""

from __future__ import annotations

from django.urls import path

from promotions.api import draw_urls, entries, reports, terms

urlpatterns = [
    *draw_urls.urlpatterns,
    path("promotions", terms.Promotions.as_view(), name="promotions"),
    path("promotions/submissions", terms.Submissions.as_view(), name="promotion-submissions"),
    path("promotions/submissions/<int:id>/paper", terms.SubmissionPaper.as_view(), name="promotion-submission-paper"),
    path("promotions/excluded-cards", entries.Excluded.as_view(), name="promotion-excluded-cards"),
    path(
        "promotions/excluded-cards/<str:card>/confirm",
        entries.ConfirmExclusion.as_view(),
        name="promotion-confirm-exclusion",
    ),
    path("promotions/excluded-cards/<str:card>/readmit", entries.Readmit.as_view(), name="promotion-readmit"),
    path("promotions/imports/<int:id>", entries.OneImport.as_view(), name="promotion-import"),
    path("promotions/imports/<int:id>/refused", entries.BadRows.as_view(), name="promotion-import-refused"),
    path("promotions/imports/<int:id>/cancel", entries.CancelImport.as_view(), name="promotion-import-cancel"),
    path("promotions/imports/<int:id>/confirm", entries.ConfirmImport.as_view(), name="promotion-import-confirm"),
    path("promotions/imports/<int:id>/reject", entries.RejectImport.as_view(), name="promotion-import-reject"),
    path("promotions/reports", reports.Reports.as_view(), name="promotion-reports"),
    path("promotions/reports/<str:name>", reports.OneReport.as_view(), name="promotion-report"),
    path("promotions/<str:code>", terms.OnePromotion.as_view(), name="promotion"),
    path("promotions/<str:code>/edit", terms.Edit.as_view(), name="promotion-edit"),
    path("promotions/<str:code>/checklist", terms.Checklist.as_view(), name="promotion-checklist"),
    path("promotions/<str:code>/submit", terms.Submit.as_view(), name="promotion-submit"),
    path("promotions/<str:code>/redraft", terms.Redraft.as_view(), name="promotion-redraft"),
    path("promotions/<str:code>/start", terms.Start.as_view(), name="promotion-start"),
    path("promotions/<str:code>/close", terms.Close.as_view(), name="promotion-close"),
    path("promotions/<str:code>/seal", terms.Seal.as_view(), name="promotion-seal"),
    path("promotions/<str:code>/give-up", terms.GiveUp.as_view(), name="promotion-give-up"),
    path("promotions/<str:code>/amend", terms.Amend.as_view(), name="promotion-amend"),
    path("promotions/<str:code>/versions", terms.Versions.as_view(), name="promotion-versions"),
    path("promotions/<str:code>/entries", entries.Entries.as_view(), name="promotion-entries"),
    path("promotions/<str:code>/entries/<int:number>/withdraw", entries.Withdraw.as_view(), name="promotion-withdraw"),
    path("promotions/<str:code>/entries/<int:number>/proof", entries.EntryProof.as_view(), name="promotion-proof"),
    path("promotions/<str:code>/imports", entries.Imports.as_view(), name="promotion-imports"),
    path("promotions/<str:code>/people", entries.People.as_view(), name="promotion-people"),
    path("promotions/<str:code>/export", entries.Export.as_view(), name="promotion-export"),
    path("promotions/<str:code>/erase", entries.Erase.as_view(), name="promotion-erase"),
]
