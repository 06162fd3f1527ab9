"""HMAC_DRBG against NIST's published vectors, and the limits of SP 800-90A."""

from __future__ import annotations

from pathlib import Path

import pytest

from chance import drbg
from chance.drbg import DrbgError, HmacDrbg, ReseedRequired

RESPONSES = Path(__file__).with_name("hmac_drbg_sha256.rsp")
Vector = list[tuple[str, bytes]]


def read_vectors() -> list[tuple[str, Vector]]:
    group = ""
    vectors: list[tuple[str, Vector]] = []
    for line in RESPONSES.read_text().splitlines():
        if line.startswith("["):
            group = line
        elif line.startswith("COUNT"):
            vectors.append((f"{group} {line}", []))
        elif " = " in line:
            name, value = line.split(" = ")
            vectors[-1][1].append((name, bytes.fromhex(value)))
    return vectors


VECTORS = read_vectors()


def test_the_selection_of_vectors_is_complete() -> None:
    assert len(VECTORS) == 22
    assert len({name for name, _ in VECTORS}) == 22


@pytest.mark.parametrize("vector", [vector for _, vector in VECTORS], ids=[name for name, _ in VECTORS])
def test_nist_vector(vector: Vector) -> None:
    def every(name: str) -> list[bytes]:
        return [value for field, value in vector if field == name]

    (entropy,), (nonce,), (returned,) = every("EntropyInput"), every("Nonce"), every("ReturnedBits")
    generator = HmacDrbg(entropy=entropy, nonce=nonce, personalisation=b"".join(every("PersonalizationString")))
    for fresh in every("EntropyInputReseed"):
        generator.reseed(entropy=fresh, additional=b"".join(every("AdditionalInputReseed")))
    additional = every("AdditionalInput") or [b"", b""]
    bits = b""
    for call in range(2):
        if prediction := every("EntropyInputPR"):  # 9.3.1, step 7: reseeded just before, the input used up there
            generator.reseed(entropy=prediction[call], additional=additional[call])
            bits = generator.generate(len(returned))
        else:
            bits = generator.generate(len(returned), additional=additional[call])
    assert bits == returned


def make(**changes: object) -> HmacDrbg:
    return HmacDrbg(**{"entropy": bytes(range(32)), "nonce": bytes(16), **changes})  # type: ignore[arg-type]


def test_too_little_entropy_or_nonce_is_refused() -> None:
    with pytest.raises(DrbgError, match="entropy needs at least 32 bytes; 31"):
        make(entropy=bytes(31))
    with pytest.raises(DrbgError, match="nonce needs at least 16 bytes; 15"):
        make(nonce=bytes(15))
    generator = make()
    expected = make().generate(32)
    with pytest.raises(DrbgError, match="entropy needs"):
        generator.reseed(entropy=bytes(31))
    assert generator.generate(32) == expected  # a refusal leaves the state alone


def test_one_request_has_a_limit() -> None:
    generator = make()
    assert len(generator.generate(1 << 16)) == 1 << 16
    before = repr(generator)
    for count in ((1 << 16) + 1, -1):
        with pytest.raises(DrbgError, match="0 to 65536 bytes"):
            generator.generate(count)
    assert repr(generator) == before


def test_inputs_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drbg.MAX_INPUT * 8 == 1 << 35
    monkeypatch.setattr(drbg, "MAX_INPUT", 40)
    for change in ({"entropy": bytes(41)}, {"nonce": bytes(41)}, {"personalisation": bytes(41)}):
        with pytest.raises(DrbgError, match="at most 40 bytes"):
            make(**change)
    with pytest.raises(DrbgError, match="additional input may have at most"):
        make().generate(1, additional=bytes(41))
    with pytest.raises(DrbgError, match="additional input may have at most"):
        make().reseed(entropy=bytes(32), additional=bytes(41))


def test_the_interval_ends_until_it_is_reseeded() -> None:
    assert drbg.RESEED_INTERVAL == 1 << 48
    generator = make(reseed_interval=2)
    twin = make()
    assert [generator.generate(8) for _ in range(2)] == [twin.generate(8) for _ in range(2)]
    with pytest.raises(ReseedRequired, match="After 2 requests"):
        generator.generate(8)
    for each in (generator, twin):
        each.reseed(entropy=b"\x07" * 32)
    assert generator.generate(8) == twin.generate(8)
    for interval in (0, (1 << 48) + 1):
        with pytest.raises(DrbgError, match="reseed interval"):
            make(reseed_interval=interval)


def test_the_state_is_never_shown() -> None:
    generator = make()
    generator.generate(1)
    assert repr(generator) == "<HmacDrbg after 1 requests>"


def test_a_machine_that_hashes_wrongly_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    drbg.self_test.cache_clear()
    drbg.self_test()
    monkeypatch.setattr("chance.drbg.hmac.digest", lambda *_: bytes(32))
    drbg.self_test()  # once in a process
    drbg.self_test.cache_clear()
    with pytest.raises(DrbgError, match="known answer test"):
        drbg.self_test()
    monkeypatch.undo()
    drbg.self_test()
