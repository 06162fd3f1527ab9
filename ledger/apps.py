from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        from config import health
        from house import acts
        from ledger import adjust, long_work, permissions, readiness  # noqa: F401  # importing registers
        from ledger.log import write

        acts.use(write)
        health.check("seals", readiness.ready)
