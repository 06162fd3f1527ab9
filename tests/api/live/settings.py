"""The settings of a server that tests kill: the real ones, and a middleware that kills it on request."""

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE as _REAL

MIDDLEWARE = ["tests.api.live.killing.Killing", *_REAL]
