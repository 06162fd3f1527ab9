"""The settings of the running copy: the real ones, and what a test's header may ask of it."""

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE as _REAL

DEMO = True
MIDDLEWARE = [
    "tests.world.served.forgetting.Forgetting",
    "tests.world.served.killing.Killing",
    "tests.world.served.worst_moments.WorstMoments",
    "tests.world.served.breaking.Breaking",
    *_REAL,
]
