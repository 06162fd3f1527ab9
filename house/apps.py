from django.apps import AppConfig
from django.db.models.signals import post_migrate


class HouseConfig(AppConfig):
    name = "house"

    def ready(self) -> None:
        from house import seed
        from house.api import checks  # noqa: F401  Django's system checks are found by being imported

        post_migrate.connect(seed.after_migrate, sender=self)
