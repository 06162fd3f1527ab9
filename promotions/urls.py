from __future__ import annotations

from django.urls import path

from promotions import draw_pages, pages

app_name = "promotions"
urlpatterns = [
    path("promotions/", pages.every, name="list"),
    path("promotions/<str:code>/", pages.one, name="one"),
    path("promotions/<str:code>/terms.pdf", pages.terms_pdf, name="terms"),
    path("promotions/<str:code>/draw.json", draw_pages.draw_json, name="draw"),
    path("promotions/<str:code>/leaves.txt", draw_pages.leaves_txt, name="leaves"),
]
