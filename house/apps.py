from django.apps import AppConfig
from django.db.models.signals import post_migrate


class HouseConfig(AppConfig):
    name = "house"

    def ready(self) -> None:
        from house import approvables, incident_kinds, permissions, seed  # noqa: F401  declared by being imported
        from house.api import checks  # noqa: F401

        post_migrate.connect(seed.after_migrate, sender=self)
