"""The rooms of the house that are installed, and which of them have a module of a given name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from django.apps import apps

from config.environment import ROOT


def rooms() -> list[str]:
    """In the order of INSTALLED_APPS, libraries left out."""
    return [room.name for room in apps.get_app_configs() if Path(room.path).parent == ROOT]


def rooms_with(module: str) -> list[str]:
    """The rooms that have this module: ``rooms_with("api.urls")``. Having it is registering it."""
    first = module.partition(".")[0]
    return [room for room in rooms() if find_spec(f"{room}.{first}") and find_spec(f"{room}.{module}")]
