from django.apps import AppConfig


class TableGamesConfig(AppConfig):
    name = "tablegames"
