from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        from kernel import privileges
        from ledger import announce

        post_migrate.connect(privileges.after_migrate, sender=self)
        post_migrate.connect(announce.after_migrate, sender=self)
