"""Notes, checkpoints and cosignatures: C2SP's own examples, what we write, and every way to write it otherwise."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from kernel.notes import (
    COSIGNATURE_V1,
    ED25519,
    PROOF_LIMIT,
    SIGNATURES_LIMIT,
    Checkpoint,
    Note,
    NoteError,
    Signature,
    Submission,
    Unsigned,
    VerifierKey,
    cosignature,
    cosignature_message,
    from_base64,
    signature,
    to_base64,
)

# c2sp.org/signed-note
EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
# c2sp.org/tlog-witness
SUBMISSION = """old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

{log}
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— {log} Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— {log} opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
""".format(log="example.com/behind-the-sofa")

HOUSE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
WITNESS = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
HOUSE_KEY = VerifierKey("meterhouse.log/1", ED25519, HOUSE.public_key().public_bytes_raw())
WITNESS_KEY = VerifierKey("witness.example/w1", COSIGNATURE_V1, WITNESS.public_key().public_bytes_raw())
HEAD = Checkpoint("meterhouse.log/1", 7, bytes(range(32)))


def signed() -> Note:
    house = signature(HOUSE_KEY, HEAD.text(), HOUSE.sign)
    return Note(HEAD.text(), (house, cosignature(WITNESS_KEY, HEAD.text(), 1_700_000_000, WITNESS.sign)))


def test_the_examples_of_c2sp() -> None:
    key = VerifierKey.parse(EXAMPLE_KEY)
    assert str(key) == EXAMPLE_KEY
    note = Note.parse(EXAMPLE.encode())
    assert str(note) == EXAMPLE
    assert note.opened([key]) == [key]
    with pytest.raises(Unsigned):
        note.opened([HOUSE_KEY])
    submission = Submission.parse(SUBMISSION.encode())
    assert str(submission) == SUBMISSION
    assert (submission.old, len(submission.proof)) == (20852014, 4)
    assert Checkpoint.parse(submission.note.text).size == 20852163
    assert Checkpoint.parse(submission.note.text).text() == submission.note.text


def test_the_message_of_a_cosignature_is_c2sps() -> None:
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    assert cosignature_message(text, 1679315147) == b"cosignature/v1\ntime 1679315147\n" + text.encode()


def test_house_and_witness_sign_one_checkpoint() -> None:
    note = Note.parse(str(signed()).encode())
    assert note == signed()
    assert note.opened([HOUSE_KEY, WITNESS_KEY]) == [HOUSE_KEY, WITNESS_KEY]
    assert note.signed_by(WITNESS_KEY) == 1_700_000_000
    assert Checkpoint.parse(note.text) == HEAD
    for key in (HOUSE_KEY, WITNESS_KEY):
        assert VerifierKey.parse(str(key)) == key


def test_a_signature_of_another_text_time_or_kind_is_none() -> None:
    note = signed()
    other = Note(Checkpoint("meterhouse.log/1", 8, bytes(range(32))).text(), note.signatures)
    for key in (HOUSE_KEY, WITNESS_KEY):
        with pytest.raises(Unsigned):
            other.signed_by(key)
    house, witness = note.signatures
    later = Signature(witness.name, witness.key_id, (1_700_000_001).to_bytes(8, "big") + witness.signature[8:])
    with pytest.raises(Unsigned):
        Note(note.text, (house, later)).signed_by(WITNESS_KEY)
    plain = VerifierKey(WITNESS_KEY.name, ED25519, WITNESS_KEY.public)  # the same key, for plain signatures: another id
    assert note.signed_by(plain) is None
    with pytest.raises(Unsigned):
        Note(note.text, (Signature(plain.name, plain.id, witness.signature[8:]),)).signed_by(plain)


@pytest.mark.parametrize(
    "spoilt",
    [
        "",
        "\n",
        "text\n",
        "text\n\n",
        EXAMPLE[:-1],  # no newline at the end
        EXAMPLE.replace("— ", "- "),
        EXAMPLE.replace("— example.com/foo", "—  example.com/foo"),
        EXAMPLE.replace("example.com/foo ", "example.com/foo  "),
        EXAMPLE.replace("example.com/foo ", "exam+ple.com/foo "),
        EXAMPLE.replace("example.com/foo ", "exam\u2028ple.com/foo "),
        EXAMPLE.replace("aQM=\n", "aQN=\n"),  # the same bytes, another spelling
        EXAMPLE.replace("aQM=\n", "aQM\n"),
        EXAMPLE.replace("aQM=\n", "aQM= \n"),
        EXAMPLE.replace("aQM=\n", "aQM=\r\n"),
        EXAMPLE.replace("This is", "This\tis"),
        EXAMPLE + EXAMPLE.splitlines(keepends=True)[-1],  # the same line twice
        EXAMPLE + "more\n",
        EXAMPLE + "— a " + to_base64(bytes(4)) + "\n",  # no signature after the key's id
    ],
)
def test_what_is_not_written_so_is_not_read(spoilt: str) -> None:
    with pytest.raises(NoteError):
        Note.parse(spoilt.encode())


def test_there_is_a_limit_to_everything() -> None:
    line = [f"— example.com/{n} {to_base64(bytes(68))}\n" for n in range(SIGNATURES_LIMIT + 1)]
    assert len(Note.parse(("text\n\n" + "".join(line[:-1])).encode()).signatures) == SIGNATURES_LIMIT
    for large in (
        "text\n\n" + "".join(line),
        "x" * 200_000 + "\n\n" + line[0],
        f"text\n\n— {'x' * 201} {to_base64(bytes(68))}\n",
        f"text\n\n— x {to_base64(bytes(7000))}\n",
    ):
        with pytest.raises(NoteError):
            Note.parse(large.encode())
    hashes = "".join(f"{to_base64(bytes(32))}\n" for _ in range(PROOF_LIMIT + 1))
    with pytest.raises(NoteError):
        Submission.parse(f"old 1\n{hashes}\n{EXAMPLE}".encode())
    with pytest.raises(NoteError):
        Note.parse(b"\xff\n\n" + line[0].encode())


@pytest.mark.parametrize(
    "text",
    [
        "a\n1\n",
        "a\n01\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "a\n+1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "a\n-1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "a\n١\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "a\n9223372036854775808\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "a\n1\nAAAA\n",
        "a\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "a b\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "a\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n",
        "a\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n" + "x\n" * 17,
    ],
)
def test_a_checkpoint_has_one_form(text: str) -> None:
    with pytest.raises(NoteError):
        Checkpoint.parse(text)


def test_a_key_is_what_its_hash_says() -> None:
    name, hashed, encoded = EXAMPLE_KEY.split("+")
    raw = base64.b64decode(encoded)
    for wrong in (
        name,
        f"{name}+{hashed}",
        f"{name}+00000000+{encoded}",
        f"{name}+{hashed.upper()}+{encoded}",
        f"{name}x+{hashed}+{encoded}",
        f"+{hashed}+{encoded}",
        f"{name}+{hashed}+{to_base64(raw[:-1])}",
        f"{name}+{hashed}+{to_base64(bytes([2]) + raw[1:])}",
        f"{name}+{hashed}+{encoded}+",
    ):
        with pytest.raises(NoteError):
            VerifierKey.parse(wrong)


@pytest.mark.parametrize("body", ["", "old\n\n", "old 01\n\n", "old 1\n", "new 1\n\n", "old 1\nAAAA\n\n", "old  1\n\n"])
def test_a_submission_has_one_form(body: str) -> None:
    with pytest.raises(NoteError):
        Submission.parse(body.encode() + EXAMPLE.encode())


@given(st.binary(max_size=400))
def test_no_bytes_do_more_than_be_unreadable(raw: bytes) -> None:
    for read in (Note.parse, Submission.parse):
        for given_ in (raw, EXAMPLE.encode()[: len(raw)] + raw):
            try:
                read(given_)
            except NoteError:
                continue


@given(st.binary(max_size=60))
def test_base64_has_one_spelling(raw: bytes) -> None:
    assert from_base64(to_base64(raw)) == raw


@given(st.text(alphabet="AQZab09+/= \n", max_size=12))
def test_and_no_other(text: str) -> None:
    try:
        raw = from_base64(text)
    except NoteError:
        return
    assert to_base64(raw) == text
