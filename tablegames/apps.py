from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TableGamesConfig(AppConfig):
    name = "tablegames"

    def ready(self) -> None:
        from tablegames import accounts

        post_migrate.connect(accounts.after_migrate, sender=self)
