"""Security codes in answers: told to the terminal that prints them, kept nowhere.

A code is a function of the paper's particulars and a key of this installation (``keno.particulars``). So an answer is
kept under its request key without it, and a terminal that asks again within the hour is told it again. Later it is told
the rest, and this in place of the code.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from keno import particulars, vouchers
from keno.models import Ticket, Voucher
from keno.printing import FORMATS, lay_out
from keno.receipts.data import lines, receipt_of

LEFT_OUT: Final = "not given again"
_VOUCHERS: Final = ("voucher", "paper")


class PaperCodes:
    """Of a ticket, and of a Keno voucher that came with it."""

    def leave_out(self, answer: dict[str, Any]) -> dict[str, object]:
        kept = dict(answer)
        if "security_code" in kept:
            kept["security_code"] = LEFT_OUT
        for name in _VOUCHERS:
            if isinstance(kept.get(name), dict):
                kept[name] = {**kept[name], "security_code": LEFT_OUT}
        return _continued(kept, lambda one: LEFT_OUT)

    def put_back(self, answer: dict[str, Any]) -> dict[str, object]:
        whole = dict(answer)
        if "security_code" in whole:
            whole["security_code"] = _code(whole | {"paper": 1})
        for name in _VOUCHERS:
            if isinstance(whole.get(name), dict):
                voucher = Voucher.objects.get(code=whole[name]["code"])
                whole[name] = {**whole[name], "security_code": vouchers.code_of(voucher)}
        return _continued(whole, _code)


def _continued(answer: dict[str, Any], code: Callable[[dict[str, Any]], str]) -> dict[str, Any]:
    """The continuations of a payment or of a sale, each with this for its code."""
    if isinstance(one := answer.get("continuation"), dict):
        answer["continuation"] = {**one, "security_code": code(one)}
    if "continuations" in answer:
        answer["continuations"] = [{**one, "security_code": code(one)} for one in answer["continuations"]]
    return answer


def _code(paper: dict[str, Any]) -> str:
    """Of the paper that the answer was about, whether or not it is still good."""
    return particulars.code_of(Ticket.objects.get(serial=paper["serial"]), paper=paper["paper"])


class Receipts:
    """A receipt shows the code in words, as a QR code, and in the form that goes to the printer."""

    def leave_out(self, answer: dict[str, object]) -> dict[str, object]:
        return {**answer, "lines": [{"name": "Security", "text": LEFT_OUT}], "content": ""}

    def put_back(self, answer: dict[str, Any]) -> dict[str, object]:
        ticket = Ticket.objects.get(serial=answer["serial"])
        again = receipt_of(ticket, duplicate=answer["duplicate"], paper=answer["paper"])
        receipt = replace(again, paper=answer["signed_text"])  # with the head of its own moment, not with a later one
        layout = next(name for name, (media_type, _) in FORMATS.items() if media_type == answer["media_type"])
        return {
            **answer,
            "lines": [{"name": name, "text": text} for name, text in lines(receipt)],
            "content": b64encode(lay_out(receipt, layout).content).decode(),
        }


PAPER_CODES: Final = PaperCodes()
RECEIPTS: Final = Receipts()
