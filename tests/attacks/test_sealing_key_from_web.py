"""Somebody who has taken over the web process wants the key that seals the log, the owner's password, or the
inspector's own key: with the first he writes another history.

What stops it: where root starts the house each program has a user of its own, and a key's file belongs to a group that
only its readers are in. Not stopped: where not, everything runs as one user; the sign-in page and the export say so.
And root reads everything.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import separation
from kernel import keys
from kernel.environment import ROOT, data_folder
from ledger import keys as sealing
from ledger import separation as said
from ledger.seal import seal_now
from tests.attacks.insider import House
from tests.world.witness import RunningWitness

off = pytest.mark.skipif(separation.why_off() is not None, reason=f"separation is off: {separation.why_off()}")
TRY = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())"


def tried_by_web(path: Path) -> subprocess.CompletedProcess[bytes]:
    """Read as the web process could: its user, its groups."""
    who = separation.identity(keys.WEB)
    assert who is not None
    return subprocess.run(
        [sys.executable, "-c", TRY, str(path)],
        cwd=ROOT, user=who.user, group=who.group, extra_groups=who.groups, env={**os.environ, "HOME": "/"},
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip


@off
def test_web_reads_neither_the_sealing_keys_nor_the_owners_password(house: House, witness: RunningWitness) -> None:
    seal_now()
    secrets = [path for path in sealing.folder().iterdir() if path.is_file()]
    assert secrets
    secrets += [keys.named(name).path for name in ("database-owner", "database-sealer", "export")]
    for path in secrets:
        if path.exists():
            ran = tried_by_web(path)
            assert (ran.returncode != 0, ran.stdout) == (True, b""), path
            assert b"PermissionError" in ran.stderr
    own = tried_by_web(keys.named("receipt").path)  # what is its own it reads: the way of trying is right
    assert own.returncode == 0
    assert own.stdout


@off
def test_web_does_not_look_into_other_processes_or_the_witness() -> None:
    who = separation.identity(keys.WEB)
    assert who is not None
    ran = tried_by_web(Path(f"/proc/{os.getpid()}/environ"))
    assert b"PermissionError" in ran.stderr
    private = data_folder() / "witness" / "inspector-escrow"  # the inspector's, where he stands beside the house
    if private.exists():
        assert b"PermissionError" in tried_by_web(private).stderr


@pytest.mark.django_db
def test_where_separation_is_off_it_is_said() -> None:
    """This very process is such a one: the tests' role may become the owner, and whoever runs them made the keys."""
    assert said.in_words() == (
        "Separation is off: the database role of web and workers could change what is on record and web and workers "
        "could read the sealing key."
    )
