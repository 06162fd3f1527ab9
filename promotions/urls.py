from __future__ import annotations

from django.urls import path

from promotions import pages

app_name = "promotions"
urlpatterns = [
    path("promotions/", pages.every, name="list"),
    path("promotions/<str:code>/", pages.one, name="one"),
    path("promotions/<str:code>/terms.pdf", pages.terms_pdf, name="terms"),
]
