"""The permission of every DRF view that does not declare its calls (web/view.py): nobody."""

from __future__ import annotations

from rest_framework.permissions import BasePermission


class Closed(BasePermission):
    def has_permission(self, request: object, view: object) -> bool:
        return False
