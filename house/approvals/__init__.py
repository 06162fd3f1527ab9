"""Approvals as one mechanism (decision 11): a change is data, another person decides, it takes effect, all is kept.

What can be approved is a registry that every room adds to with :func:`approvable`.
"""

from house.approvals.decide import approve, reject, withdraw
from house.approvals.effect import apply_due, condition_met
from house.approvals.propose import propose
from house.approvals.queries import describe, history, waiting_for
from house.approvals.registry import Approvable, approvable, kinds

__all__ = [
    "Approvable",
    "apply_due",
    "approvable",
    "approve",
    "condition_met",
    "describe",
    "history",
    "kinds",
    "propose",
    "reject",
    "waiting_for",
    "withdraw",
]
