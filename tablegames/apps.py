from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TableGamesConfig(AppConfig):
    name = "tablegames"

    def ready(self) -> None:
        from tablegames import accounts, approvables, permissions  # noqa: F401  declared by being imported

        post_migrate.connect(accounts.after_migrate, sender=self)
