from __future__ import annotations

from django.urls import path

from promotions.pages import public, public_draw

app_name = "promotions"
urlpatterns = [
    path("promotions/", public.every, name="list"),
    path("promotions/<str:code>/", public.one, name="one"),
    path("promotions/<str:code>/terms.pdf", public.terms_pdf, name="terms"),
    path("promotions/<str:code>/draw.json", public_draw.draw_json, name="draw"),
    path("promotions/<str:code>/leaves.txt", public_draw.leaves_txt, name="leaves"),
]
