from django.apps import AppConfig
from django.db.models.signals import post_migrate


class KenoConfig(AppConfig):
    name = "keno"

    def ready(self) -> None:
        from keno import accounts

        post_migrate.connect(accounts.after_migrate, sender=self)
