"""What each power needs, for the page of roles and docs/powers.md. It is declared with the permission itself."""

from __future__ import annotations

from kernel.codes import Permission
from kernel.rooms import amount_of, offered_by
from web.words import money


def by_room() -> dict[str, list[Permission]]:
    """Every permission, under the room that declares it, in its order."""
    rooms: dict[str, list[Permission]] = {}
    for room, permission in offered_by(Permission):
        rooms.setdefault(room, []).append(permission)
    return rooms


def needs_today(permission: Permission) -> list[str]:
    """With the amount that is in force."""
    return permission.needs(today=money(amount_of(permission.above)) if permission.above else "")
