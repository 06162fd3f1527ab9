"""The two editions of the rule on promotional prizes, as data: rule 15 of the Lunar Poker order (2019) and rule 17 of
the Caribbean Stud order (2025). Everything not listed here they say alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from kernel.money import Money

SCRUTINEER_ABOVE: Final = Money.dollars(10_000)  # 17.2, 15.2: strictly more
CHOICE_ABOVE: Final = Money.dollars(10_000)  # 15.4: strictly more
DENIED_KEPT_ABOVE: Final = Money.dollars(100)  # 17.9.1, 15.10.1: strictly more
LIQUOR_LIMIT_LITRES: Final = 20  # 17.5.4, 15.5.4
SUBMITTED_BEFORE: Final = timedelta(hours=24)  # 17.12, 15.9: at least
NOTIFIED_WITHIN: Final = timedelta(days=2)  # 17.8, 15.8: of the draw
NOTIFY_BY: Final = ("face-to-face", "mail", "telephone", "email")  # 17.8.1-4, 15.8.1-4

# How a prize reaches its winner. Of these, cash and what 15.4 offers beside it are ways of paying money.
CASH: Final = "cash"
CHEQUE: Final = "cheque"  # crossed, made out to the winner
TRANSFER: Final = "transfer"  # electronic, to the winner's account
DEPOSIT: Final = "account"  # to the winner's account with the house
HANDED_OVER: Final = "handed-over"
ISSUED: Final = "issued"  # vouchers, casino dollars
MONEY_METHODS: Final = (CASH, CHEQUE, TRANSFER, DEPOSIT)
METHODS: Final = (*MONEY_METHODS, HANDED_OVER, ISSUED)


@dataclass(frozen=True, slots=True)
class Edition:
    code: str
    source: str  # the prefix of its clause ids
    regulator: str
    # 17.4: never in cash. 15.4: allowed; above CHOICE_ABOVE the winner chooses of `choice`, in any combination.
    cash: bool
    choice: tuple[str, ...]
    # 15.3: a cash alternative only where the terms state it. 17.3 allows one all the same, in money but not in cash.
    alternative_in_terms: bool
    no_alternative: frozenset[str]  # kinds of prizes
    # 15.9.1: approval before an amendment after the start is in force. 17.12.1: re-submitted as soon as possible.
    amend_by_approval: bool
    clauses: Mapping[str, str]

    def clause(self, what: str) -> str:
        """The clause id of one of the things both editions say."""
        return f"{self.source}:{self.clauses[what]}"

    def particular(self, number: str) -> str:
        """The clause id of a required particular: ``"7.3"`` is 17.7.3, or 15.7.3."""
        return f"{self.source}:{self.clauses['rule']}.{number}"


# Shared names of the clauses, so that a refusal names its clause in the edition that holds.
_2025: Final = {
    "rule": "17",
    "scrutineer": "17.2",
    "alternative": "17.3",
    "payment": "17.4",
    "prohibited": "17.5",
    "published": "17.6",
    "particulars": "17.7.1-11",
    "notification": "17.8",
    "refusal": "17.9",
    "complaint": "17.10",
    "integrity": "17.11",
    "submission": "17.12",
    "amendment": "17.12.1",
}
_2019: Final = {
    "rule": "15",
    "scrutineer": "15.2",
    "alternative": "15.3",
    "payment": "15.4",
    "prohibited": "15.5",
    "published": "15.6",
    "particulars": "15.7",
    "notification": "15.8",
    "refusal": "15.10",
    "complaint": "15.11",
    "integrity": "15.12",
    "submission": "15.9",
    "amendment": "15.9.1",
}

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {
        "2019": Edition(
            code="2019",
            source="nsw-promo-2019",
            regulator="the Independent Liquor and Gaming Authority",
            cash=True,
            choice=(CASH, CHEQUE, TRANSFER),
            alternative_in_terms=True,
            no_alternative=frozenset({"money", "slots-dollars", "casino-dollars"}),
            amend_by_approval=True,
            clauses=MappingProxyType(_2019),
        ),
        "2025": Edition(
            code="2025",
            source="nsw-promo-2025",
            regulator="the NSW Independent Casino Commission",
            cash=False,
            choice=(),
            alternative_in_terms=False,
            no_alternative=frozenset({"money", "casino-dollars"}),
            amend_by_approval=False,
            clauses=MappingProxyType(_2025),
        ),
    }
)


def edition(code: str) -> Edition:
    return EDITIONS[code]


def needs_scrutineer(value: Money) -> bool:
    """17.2, 15.2: where one prize is worth more than $10,000; exactly $10,000 needs none."""
    return value > SCRUTINEER_ABOVE
