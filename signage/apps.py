from django.apps import AppConfig


class SignageConfig(AppConfig):
    name = "signage"
