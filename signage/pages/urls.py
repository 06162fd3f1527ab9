from __future__ import annotations

from django.urls import path

from signage.pages import look

urlpatterns = [
    path("approvals/propose/look/", look.propose, name="propose-look"),
]
