"""The settings of the running copy: the real ones, and what a test's header may ask of it."""

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE as _REAL
from config.settings import PASSWORD_HASHERS as _SLOW

DEMO = True
LATENESS_WATCHED = False  # a test's world stands still: everything in it would be late
# As in the tests: a sign-in would hash the password of who signs in over again, with all the effort.
PASSWORD_HASHERS = ["tests.plugins.hasher.QuickArgon2", *_SLOW]
MIDDLEWARE = [
    "tests.world.served.forgetting.Forgetting",
    "tests.world.served.killing.Killing",
    "tests.world.served.worst_moments.WorstMoments",
    "tests.world.served.breaking.Breaking",
    *_REAL,
]
