from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        from house import acts
        from ledger.log import write

        acts.use(write)
