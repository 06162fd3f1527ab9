"""A simulated stretch of Keno through the real verbs, on a clock in the hand: ``manage.py simulate``."""

from keno.simulate.past import give_past
from keno.simulate.run import Simulation, begin_at

__all__ = ["Simulation", "begin_at", "give_past"]
