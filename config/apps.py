from __future__ import annotations

import importlib

from django.apps import AppConfig


class HouseConfig(AppConfig):
    """What runs where, as an application of Django's: for its checks and its commands. It has no models."""

    name = "config"

    def ready(self) -> None:
        importlib.import_module("config.checks")  # Django finds checks by their being imported
