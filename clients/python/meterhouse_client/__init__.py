"""Meterhouse's API for programmers of terminals and table controllers. Standard library only; README.md begins it."""

from meterhouse_client.journal import Asked, Journal
from meterhouse_client.problems import NotAnswered, NotYet, Refused, Trouble
from meterhouse_client.terminal import Settled, Terminal

__all__ = ["Asked", "Journal", "NotAnswered", "NotYet", "Refused", "Settled", "Terminal", "Trouble"]
