from django.apps import AppConfig


class SignageConfig(AppConfig):
    name = "signage"

    def ready(self) -> None:
        from signage import approvables  # noqa: F401  declared by being imported
