"""Keno's addresses for everybody."""

from __future__ import annotations

from django.urls import path

from keno.pages import public

app_name = "keno"
urlpatterns = [path("rules/keno/", public.rules, name="rules")]
