from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q

from kernel.actors import Actor
from kernel.checks import two_people


class Role(models.Model):
    """A post in the house. What it may do is in Grant, as data."""

    code = models.CharField(max_length=32, primary_key=True)
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ("code",)

    def __str__(self) -> str:
        return self.name


class Permission(models.Model):
    """Something a room lets people do, declared in code (house.permissions), granted as data."""

    code = models.CharField(max_length=64, primary_key=True)
    label = models.CharField(max_length=160)
    declared_at = models.DateTimeField(auto_now_add=True)

    written_by: ClassVar = ()  # by migrating alone

    class Meta:
        ordering = ("code",)

    def __str__(self) -> str:
        return self.label


class Grant(models.Model):
    role = models.ForeignKey(Role, on_delete=models.PROTECT, related_name="grants")
    permission = models.ForeignKey(Permission, on_delete=models.PROTECT, related_name="grants")

    fleeting: ClassVar = True

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["role", "permission"], name="house_grant_once"),
            # The regulator's word is no right that the house could give itself.
            models.CheckConstraint(
                condition=~Q(permission="approvals.decide.inspector") | Q(role="inspector"),
                name="house_grant_inspector_alone",
            ),
        )


class StaffManager(BaseUserManager["Staff"]):
    def get_by_natural_key(self, username: str | None) -> Staff:
        return self.get(username=(username or "").strip().lower())


class Staff(AbstractBaseUser):
    """A person who signs in. ``username`` never changes: the ledger and the log know people by it."""

    username = models.CharField(max_length=32, unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    must_change_password = models.BooleanField(default=False)
    is_demo = models.BooleanField(default=False, help_text="may sign in only while the demo setting is on")
    language = models.CharField(max_length=8, db_default="en", help_text="in which he reads the pages")
    signs_in = models.BooleanField(default=True, help_text="false: a demo person who acts through a token only")
    roles = models.ManyToManyField(Role, related_name="staff")
    hired_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    objects = StaffManager()

    class Meta:
        ordering = ("username",)
        verbose_name_plural = "staff"
        constraints = (
            models.CheckConstraint(
                condition=Q(username__regex=r"^[a-z][a-z0-9._-]{0,31}$"), name="house_staff_username_plain"
            ),
            models.CheckConstraint(condition=Q(signs_in=True) | Q(is_demo=True), name="house_staff_signs_in"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def identity(self) -> str:
        return f"staff:{self.username}"

    def as_actor(self) -> Actor:
        """The person as an actor: every permission of every role held. One query; the caller keeps it for the request.

        None at all for somebody who has left, has still to change a first password, or is of the demo when that is off.
        """
        permissions: frozenset[str] = frozenset()
        if self.is_active and not self.must_change_password and (settings.DEMO or not self.is_demo):
            permissions = frozenset(Grant.objects.filter(role__staff=self).values_list("permission_id", flat=True))
        return Actor(identity=self.identity, name=self.name, permissions=permissions)


class AccessCode(models.Model):
    """How somebody enrols, the first time or anew: a code of two halves, each shown once to another of two people.

    The halves are kept nowhere: they are derived from ``salt`` and the installation's secret.
    """

    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="access_codes")
    proposed_by = models.CharField(max_length=80)
    decided_by = models.CharField(max_length=80)
    salt = models.CharField(max_length=32)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    proposer_saw_at = models.DateTimeField(null=True)
    decider_saw_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (two_people("proposed_by", "decided_by", name="house_accesscode_two_people"),)


class InspectorateKey(models.Model):
    """With which key the inspectors' own authority signs. The latest counts."""

    name = models.CharField(max_length=120)
    public_key = models.CharField(max_length=64, help_text="Ed25519, 32 bytes in hex")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(public_key__regex=r"^[0-9a-f]{64}$"), name="house_inspectoratekey_readable"
            ),
        )


class InspectorCode(models.Model):
    """A signed code that was used: never a second time."""

    hash = models.CharField(max_length=64, unique=True)
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+")
    used_at = models.DateTimeField(auto_now_add=True)
