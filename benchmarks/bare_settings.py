"""The house's settings with nothing around a request."""

from config.settings import *  # noqa: F403

MIDDLEWARE = []
ROOT_URLCONF = "benchmarks.bare"
REST_FRAMEWORK = {"UNAUTHENTICATED_USER": None}
