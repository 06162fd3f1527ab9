"""The ledger's calls, under ``/api/v1/``. All of them only look: money moves through the rooms' own verbs."""

from __future__ import annotations

from django.urls import include, path

from console.api import audit

_CALLS = [
    path("acts/", audit.Acts.as_view(), name="audit-acts"),
    path("transfers/", audit.Transfers.as_view(), name="audit-transfers"),
    path("seals/", audit.Seals.as_view(), name="audit-seals"),
    path("seals/<int:older>/to/<int:newer>", audit.Consistency.as_view(), name="audit-consistency"),
    path("rows/<int:id>/proof", audit.RowProof.as_view(), name="audit-row-proof"),
    path("accounts", audit.Accounts.as_view(), name="audit-accounts"),
]

urlpatterns = [path("audit/", include(_CALLS))]
