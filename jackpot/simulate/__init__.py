"""Tables in a simulated month: rounds, controllers, hits, and a book of their own for every link."""

from jackpot.simulate.floor import Floor

__all__ = ["Floor"]
