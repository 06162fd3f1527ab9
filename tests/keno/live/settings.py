"""The settings of a server whose requests can be held up at the worst moment: the real ones, and one middleware."""

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE as _REAL

MIDDLEWARE = ["tests.keno.live.worst_moments.WorstMoments", *_REAL]
