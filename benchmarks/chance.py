"""The draws themselves, as evidence: a large sample by the very code that draws, each test beside its bound at 99%.

A fair generator is above the bound once in a hundred runs of a test; the sample is new in every run. For bytes instead
of draws: ``python -m chance.stream | dieharder -a -g 200``.
"""

from __future__ import annotations

import random
import time

from benchmarks.report import figure

DRAWS = 100_000


def run() -> None:
    from chance.evidence import CONFIDENCE, all_tests

    started = time.perf_counter()
    sample = [draw(game) for game in range(1, DRAWS + 1)]
    took = time.perf_counter() - started
    started = time.perf_counter()
    for _ in range(DRAWS // 10):
        random.SystemRandom().sample(range(1, 81), 20)
    plain = (time.perf_counter() - started) * 10
    figure(
        "draws of 20 from a master", DRAWS / took, "draws/s", plain / took, "random.SystemRandom().sample, unprovable"
    )
    for finding in all_tests(sample):
        unit = f"chi²({finding.freedom})" if finding.freedom else "|z|" if finding.name == "runs" else "repeats"
        bound = f"{finding.critical:,.2f}, the bound at {CONFIDENCE:.0%} ({DRAWS:,} draws; p = {finding.p_value:.3f})"
        ratio = finding.statistic / finding.critical if finding.critical else finding.statistic
        figure(f"fair draws: {finding.name}", finding.statistic, unit, ratio, bound)


def draw(game: int) -> list[int]:
    """A game as it is drawn: a new master from the operating system, a set of tickets, a second party's answer."""
    import secrets
    from hashlib import sha256

    from chance.two_party import How, Said, new_master, numbers
    from kernel.questions import Question

    root = sha256(b"%d" % game).digest()
    question = Question(
        venue="BENCH", purpose="keno", occasion=str(game), attempt=1, root=root, count=game, act_index=game,
        origin="meterhouse.log/bench", size=game + 1, checkpoint_root=root,
    )  # fmt: skip
    said = Said(question=question, how=How.WITNESS, said=secrets.token_bytes(384))
    return numbers(new_master(), said, pool=80, count=20)
