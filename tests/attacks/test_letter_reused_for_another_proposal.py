"""A manager puts a real letter about one thing on record for another: the same paper, or the same reference."""

from __future__ import annotations

from tests.attacks.insider import House
from tests.attacks.letters import letter, proposed


def test_a_letter_approves_one_proposal(house: House) -> None:
    one, two = house.insider("manager"), house.insider("manager")
    first = proposed(one)
    second = proposed(one, subject="jackpot-ratio:KENO-8")
    paper = one.post(f"approvals/{first}/letter", letter()).ok(201)
    two.post(f"approvals/{first}/letter/confirm", {"sha256": paper["sha256"]}).ok()
    with house.unchanged():
        for again in (
            letter(),
            letter(reference="GRC 26/119"),
            letter(b"The ratio is approved, too."),
            letter(b"The ratio is approved, too.", reference=" grc 26/118 "),
        ):
            assert one.post(f"approvals/{second}/letter", again).refused("letter-used")
        assert two.post(f"approvals/{second}/letter/confirm", {"sha256": paper["sha256"]}).refused("no-letter")
        assert two.post(f"approvals/{first}/letter/confirm", {"sha256": paper["sha256"]}).refused("already-decided")
