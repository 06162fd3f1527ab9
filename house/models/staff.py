from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q


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

    class Meta:
        ordering = ("code",)

    def __str__(self) -> str:
        return self.label


class Grant(models.Model):
    role = models.ForeignKey(Role, on_delete=models.PROTECT, related_name="grants")
    permission = models.ForeignKey(Permission, on_delete=models.PROTECT, related_name="grants")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["role", "permission"], name="house_grant_once"),)


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
    roles = models.ManyToManyField(Role, related_name="staff")
    hired_at = models.DateTimeField(auto_now_add=True)
    # The second step's own lock-out; the first step's is django-axes'.
    second_step_failures = models.PositiveSmallIntegerField(default=0)
    second_step_locked_until = models.DateTimeField(null=True)

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
        )

    def __str__(self) -> str:
        return self.name

    @property
    def identity(self) -> str:
        return f"staff:{self.username}"
