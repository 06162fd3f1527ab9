from django.apps import AppConfig
from django.db.models.signals import post_migrate


class KenoConfig(AppConfig):
    name = "keno"

    def ready(self) -> None:
        from keno import accounts, approvables, incident_kinds, permissions, simulations  # noqa: F401  declared by being imported

        post_migrate.connect(accounts.after_migrate, sender=self)
