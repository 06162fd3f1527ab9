from __future__ import annotations

from django.urls import path

from signage import views

app_name = "signage"
urlpatterns = [
    path("signage/feed.json", views.feed_json, name="feed"),
    path("signage/key.json", views.key_json, name="key"),
    path("signage/stream", views.stream, name="stream"),
    path("signage/logo", views.logo, name="logo"),
]
