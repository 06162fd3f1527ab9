from django.apps import AppConfig


class JackpotConfig(AppConfig):
    name = "jackpot"

    def ready(self) -> None:
        from jackpot import approvables, incident_kinds, permissions  # noqa: F401  declared by being imported
