from django.apps import AppConfig


class PromotionsConfig(AppConfig):
    name = "promotions"

    def ready(self) -> None:
        from promotions import approvables, permissions  # noqa: F401  declared by being imported
