from __future__ import annotations

from django.db import models
from django.db.models import Q

from house.models.checks import one_of


class DeviceKind(models.TextChoices):
    WRITER_TERMINAL = "writer-terminal"
    TABLE_CONTROLLER = "table-controller"
    DISPLAY = "display"
    SERVICE = "service"


class DeviceStatus(models.TextChoices):
    ACTIVE = "active"
    REVOKED = "revoked"


class Device(models.Model):
    """A machine or service that calls the API with a token of its own."""

    code = models.CharField(max_length=16, unique=True, help_text="W-0001, T-0001, D-0001, S-0001")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=32, choices=DeviceKind.choices)
    # The role whose permissions it has. Plain text, not a key: a profile nobody knows must mean nothing at all.
    profile = models.CharField(max_length=32)
    status = models.CharField(max_length=16, choices=DeviceStatus.choices, default=DeviceStatus.ACTIVE)
    place = models.CharField(max_length=80, blank=True, help_text="the table, counter or wall it stands at")
    opens_own_shift = models.BooleanField(default=False, help_text="a writer that opens its shift on first use")
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
        )

    def __str__(self) -> str:
        return f"{self.code} {self.name}"

    @property
    def identity(self) -> str:
        return f"device:{self.code}"


class DeviceToken(models.Model):
    """The hash of a 256-bit token. The token itself is shown once and kept nowhere here."""

    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="tokens")
    hash = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, in hex")
    prefix = models.CharField(max_length=16, help_text="its first, public part, to recognise it by")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

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

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(hash__regex=r"^[0-9a-f]{64}$"), name="house_provisioningcode_hashed"),
        )


class DeviceSeen(models.Model):
    """When a device last called. A row of its own, so that a heartbeat never touches the row that sales read."""

    device = models.OneToOneField(Device, primary_key=True, on_delete=models.CASCADE, related_name="seen")
    seen_at = models.DateTimeField()
