"""Approvals as one mechanism (decision 11): a change is data, another person decides, it takes effect, all is kept.

What can be approved is what the rooms offer as :class:`Approvable`. Letters of an authority are in ``letters.py``.
"""

from house.approvals.authority import is_inspector
from house.approvals.decide import approve, reject, withdraw
from house.approvals.effect import apply_due, condition_met, next_effective, wait_again
from house.approvals.kept import approved_value
from house.approvals.propose import propose
from house.approvals.queries import describe, history, letter_with_document, letters_for, proposal_numbered, waiting_for
from house.approvals.registry import Approvable, kinds
from house.approvals.shape import Record, Shape, withdrawable
from house.approvals.standing import Basis, Standing, standing_of
from house.approvals.steps import letter_of, needs_second, proposable, proposal_steps

__all__ = [
    "Approvable",
    "Basis",
    "Record",
    "Shape",
    "Standing",
    "apply_due",
    "approve",
    "approved_value",
    "condition_met",
    "describe",
    "history",
    "is_inspector",
    "kinds",
    "letter_of",
    "letter_with_document",
    "letters_for",
    "needs_second",
    "next_effective",
    "proposable",
    "proposal_numbered",
    "proposal_steps",
    "propose",
    "reject",
    "standing_of",
    "wait_again",
    "waiting_for",
    "withdraw",
    "withdrawable",
]
