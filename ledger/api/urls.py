"""The ledger's calls, under ``/api/v1/``. All of them only look: money moves through the rooms' own verbs."""

from __future__ import annotations

from django.urls import path

from ledger.api import audit

urlpatterns = [
    path("audit/acts/", audit.Acts.as_view(), name="audit-acts"),
    path("audit/transfers/", audit.Transfers.as_view(), name="audit-transfers"),
    path("audit/seals/", audit.Seals.as_view(), name="audit-seals"),
    path("audit/seals/<int:older>/to/<int:newer>", audit.Consistency.as_view(), name="audit-consistency"),
    path("audit/rows/<int:id>/proof", audit.RowProof.as_view(), name="audit-row-proof"),
    path("audit/accounts", audit.Accounts.as_view(), name="audit-accounts"),
]
