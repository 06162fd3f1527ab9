"""Who acts in these tests."""

from __future__ import annotations

from house.actors import Actor
from house.permissions import declared


def someone(role: str, name: str | None = None) -> Actor:
    """Somebody with what a new house grants to that role."""
    rights = frozenset(each.code for each in declared().values() if role in each.roles)
    return Actor(f"staff:{name or role}", name or role, rights)


SUPERVISOR = someone("supervisor")
MANAGER = someone("manager")
DEALER = someone("dealer")
