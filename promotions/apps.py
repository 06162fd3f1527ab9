from django.apps import AppConfig
from django.db.models.signals import post_migrate


class PromotionsConfig(AppConfig):
    name = "promotions"

    def ready(self) -> None:
        from promotions import accounts

        post_migrate.connect(accounts.after_migrate, sender=self)
