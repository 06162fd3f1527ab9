from __future__ import annotations

from typing import Any

import pytest

from config.checks import faults
from house import permissions, seed
from house.models import Grant, OpeningHours, Permission, Role, Venue
from house.roles import ROLES
from kernel import codes
from tests.world.offers import offer
from tests.world.owner import as_owner

pytestmark = pytest.mark.django_db


def grants(permission: str) -> set[str]:
    return set(Grant.objects.filter(permission=permission).values_list("role", flat=True))


@pytest.fixture
def declare(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Declare as a new release would, for the length of the test."""

    def declare(code: str, label: str, *, roles: tuple[str, ...] = ()) -> str:
        permission = codes.Permission(code, label, roles=roles)
        offer(monkeypatch, permission)
        return permission

    return declare


def test_every_house_starts_with_its_roles_and_what_the_rooms_declared() -> None:
    assert dict(Role.objects.values_list("code", "name")) == ROLES
    assert set(Permission.objects.values_list("code", flat=True)) == set(permissions.declared())
    for code, permission in permissions.declared().items():
        assert grants(code) == permission.roles
        assert Permission.objects.get(code=code).label == permission.label
    assert Venue.objects.get().time_zone == "Australia/Sydney"


def test_a_new_release_adds_permissions_and_leaves_the_venues_grants_alone(declare: Any) -> None:
    Grant.objects.filter(permission="devices.manage", role="manager").delete()
    Grant.objects.create(permission_id="devices.manage", role_id="supervisor")
    Grant.objects.filter(permission="audit.view").delete()
    OpeningHours.objects.update(opens=None, closes=None)
    declare("test.fly", "Fly", roles=("dealer", "writer"))
    with as_owner():  # as migrating does
        seed.seed()
    assert grants("test.fly") == {"dealer", "writer"}
    assert grants("devices.manage") == {"administrator", "supervisor"}
    assert grants("audit.view") == set()
    Grant.objects.filter(permission="test.fly", role="dealer").delete()
    with as_owner():  # as migrating does
        seed.seed()
    assert grants("test.fly") == {"writer"}
    assert not OpeningHours.objects.exclude(opens=None).exists()


def test_a_permission_is_declared_once_and_for_roles_that_exist(declare: Any) -> None:
    assert declare("test.fly", "Fly", roles=("writer",)) == "test.fly"
    assert faults() == []
    declare("test.fly", "Fly", roles=("dealer",))
    declare("test.land", "Land", roles=("pilot",))
    assert faults() == [
        "Permission test.fly is declared twice",
        "test.land is to be granted to roles that do not exist: pilot",
    ]


def test_a_declaration_without_roles_grants_nothing(declare: Any) -> None:
    declare("test.secret", "Nobody's yet")
    with as_owner():  # as migrating does
        seed.seed()
    assert grants("test.secret") == set()
