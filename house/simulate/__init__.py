"""What the simulated parts of the rooms share: a clock in the hand, and figures to compare (``manage.py simulate``)."""

from house.simulate.clock import Clock
from house.simulate.part import Figure, Part, Simulated

__all__ = ["Clock", "Figure", "Part", "Simulated"]
