from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from house.models.staff import Staff
from house.roles import FLOOR, HELD
from kernel.checks import one_of


class DeviceKind(models.TextChoices):
    WRITER_TERMINAL = "writer-terminal"
    TABLE_CONTROLLER = "table-controller"
    DISPLAY = "display"
    SERVICE = "service"


class DeviceStatus(models.TextChoices):
    ACTIVE = "active"
    REVOKED = "revoked"


class Device(models.Model):
    """A machine or service that calls the API with a token of its own.

    One of a privileged profile belongs to a person, its holder, and acts as him: it is his hand, not a second person.
    """

    code = models.CharField(max_length=16, unique=True, help_text="W-0001, T-0001, D-0001, S-0001")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=32, choices=DeviceKind.choices)
    # The role whose permissions it has. Plain text, not a key: a profile nobody knows must mean nothing at all.
    profile = models.CharField(max_length=32)
    status = models.CharField(max_length=16, choices=DeviceStatus.choices, default=DeviceStatus.ACTIVE)
    place = models.CharField(max_length=80, blank=True, help_text="the table, counter or wall it stands at")
    opens_own_shift = models.BooleanField(default=False, help_text="a writer that opens its shift on first use")
    holder = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="devices")
    tables = ArrayField(
        models.CharField(max_length=32), null=True, help_text="the only tables it works at; null: bound to none"
    )
    registered_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("code",)
        constraints = (
            one_of("kind", DeviceKind, name="house_device_kind_known"),
            one_of("status", DeviceStatus, name="house_device_status_known"),
            models.CheckConstraint(
                condition=Q(status="active", revoked_at__isnull=True) | Q(status="revoked", revoked_at__isnull=False),
                name="house_device_revoked_when",
            ),
            models.CheckConstraint(
                condition=Q(status="revoked")
                | Q(profile__in=sorted(HELD), holder__isnull=False)
                | Q(profile__in=sorted(FLOOR), holder__isnull=True)
                | ~Q(profile__in=sorted(HELD | FLOOR)),
                name="house_device_held",
            ),
            models.CheckConstraint(
                condition=Q(tables__isnull=True) | Q(profile="table"), name="house_device_tables_of_tables"
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} {self.name}"

    @property
    def identity(self) -> str:
        """Who acts through it: its holder, or the device itself where it stands on the floor."""
        return self.holder.identity if self.holder is not None else f"device:{self.code}"


class DeviceToken(models.Model):
    """The hash of a 256-bit token. The token itself is shown once and kept nowhere here."""

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="tokens")
    hash = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, in hex")
    prefix = models.CharField(max_length=16, help_text="its first, public part, to recognise it by")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(help_text="moves on while it is used, at most once a day")
    is_replaced = models.BooleanField(default=False, help_text="a newer one is there: it ends when it ends")
    revoked_at = models.DateTimeField(null=True)
    seen_by = models.CharField(
        max_length=80, blank=True, db_default="", help_text="who was shown it, or the code that became it"
    )

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(hash__regex=r"^[0-9a-f]{64}$"), name="house_devicetoken_hashed"),
        )


class ProvisioningCode(models.Model):
    """A short code that a new device changes, once and within minutes, into its token."""

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="provisioning_codes")
    hash = models.CharField(max_length=64, unique=True, help_text="HMAC-SHA-256 of the code, in hex")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    seen_by = models.CharField(max_length=80, blank=True, db_default="", help_text="who was shown it")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(hash__regex=r"^[0-9a-f]{64}$"), name="house_provisioningcode_hashed"),
        )


class TokenDue(models.Model):
    """A token that two people have agreed on: its holder collects it in his own console, once. Nobody else sees it."""

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="tokens_due")
    holder = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="tokens_due")
    overlap_seconds = models.PositiveIntegerField(default=0, help_text="for how long the old token goes on")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    collected_at = models.DateTimeField(null=True)

    fleeting: ClassVar = True

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["device"], condition=Q(collected_at__isnull=True), name="house_tokendue_one_each"
            ),
        )


class DeviceSeen(models.Model):
    """When a device last called. A row of its own, so that a heartbeat never touches the row that sales read."""

    device = models.OneToOneField(Device, primary_key=True, on_delete=models.CASCADE, related_name="seen")
    seen_at = models.DateTimeField()
