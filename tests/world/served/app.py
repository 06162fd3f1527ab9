"""What web serves, with the tests' own settings."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.world.served.settings"

from config.wsgi import application

__all__ = ["application"]
