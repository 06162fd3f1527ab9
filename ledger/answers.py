"""What the witness answers: checked, put in its place of the chain, and written down as an act and in its row.

Every link of the chain is in the log. One that nobody here had asked for (a house restored from a backup has forgotten
that it asked) is written down too, so that whoever checks the export sees it.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from kernel import locks, questions
from kernel.locks import Lock
from kernel.notes import to_base64
from kernel.questions import FIRST_LINK, Link
from ledger.acts import OtherAnswerFound, QuestionAnswered, WitnessKeys
from ledger.asked import asked_of, link_of
from ledger.checkpoints import Notes
from ledger.cosign import Diverged, after, between, keep, known_size, shown, tell_hand_over
from ledger.log import write_act
from ledger.models import Act, Question, Seal
from ledger.proofs import read_nodes, root_at
from ledger.seal import SEALER, seal_of_size
from ledger.transport import Away, SaidNo, call_json


def exchange(question: Question, witness: WitnessKeys) -> Question:
    """Put the question, and record what comes back. Raises Away, SaidNo or Diverged."""
    old = known_size(witness)
    under = seal_of_size(question.size)
    for _ in range(4):  # others may be at it, or a key is handed over on the way
        try:
            said = call_json("/ask", _request(question, witness, old, under))
        except SaidNo as no:
            if no.size is not None and no.size != old:
                old = after(no.size, witness)
            elif no.status == 403 and tell_hand_over(under, witness):
                old = known_size(witness)
            else:
                raise
            continue
        link = _read(said, question, witness)
        if said.get("cosignature"):
            keep(under, str(said["cosignature"]), witness)
        record(link, witness)
        return question
    raise Away("The witness is asked by others, too: once more in a moment.")


def last_link(witness: WitnessKeys) -> Link | None:
    """The last link of its chain that this log has."""
    own = Question.objects.filter(witness=witness.name, number__isnull=False).order_by("-number").first()
    found = [link_of(own)] if own is not None else []
    other = Act.objects.filter(kind=OtherAnswerFound.kind, data__witness=witness.name).order_by("-id").first()
    if other is not None:
        found.append(Link.from_json(other.data["link"]))
    return max(found, key=lambda link: link.number, default=None)


def record(link: Link, witness: WitnessKeys) -> None:
    """Write the link down, and first every link before it that we do not have."""
    while not _record(link, witness):
        last = last_link(witness)
        known = last.number if last is not None else 0
        before = call_json(f"/answers?from={known + 1}")
        try:
            missing = [Link.from_json(each) for each in before["answers"] if each["number"] < link.number]
        except (KeyError, TypeError, ValueError):
            missing = []
        if not missing or not all(each.is_right(public=witness.public, rsa=witness.rsa) for each in missing):
            raise Away(f"The witness does not show its answers from {known + 1} on.")
        for each in missing:
            _record(each, witness)


@transaction.atomic
def _record(link: Link, witness: WitnessKeys) -> bool:
    """False: links before it are missing here."""
    locks.hold(Lock.WITNESS)
    last = last_link(witness)
    if link.number > (last.number if last is not None else 0) + 1:
        return False
    if last is not None and link.number <= last.number:
        _check_known(link, witness)
        return True
    if (link.number, link.previous) != ((last.number + 1, last.digest()) if last is not None else (1, FIRST_LINK)):
        raise Diverged(f"Answer {link.number} of {witness.name} does not follow the answer before it.")
    venue, purpose, occasion, attempt = link.question.key
    asked = Question.objects.filter(
        venue=venue, purpose=purpose, occasion=occasion, attempt=attempt, witness=witness.name, answer__isnull=True
    ).first()
    if asked is None or not _fits(link.question, asked):
        write_act(OtherAnswerFound(witness=witness.name, number=link.number, link=link.as_json()), by=SEALER)
        return True
    said: dict[str, Any] = {
        "number": link.number,
        "answered_at": link.at,
        "previous": link.previous,
        "answer": link.answer,
        "signature": link.signature,
    }
    size, root = link.question.size, link.question.checkpoint_root
    answered = QuestionAnswered(
        venue=venue,
        purpose=purpose,
        occasion=occasion,
        attempt=attempt,
        witness=witness.name,
        size=size,
        checkpoint_root=root,
        **said,
    )
    write_act(answered, by=SEALER)
    Question.objects.filter(pk=asked.pk).update(**said, answered_size=size, answered_root=root)
    return True


def _check_known(link: Link, witness: WitnessKeys) -> None:
    """Somebody else has recorded this number meanwhile: it must be the same link."""
    own = Question.objects.filter(witness=witness.name, number=link.number).first()
    if own is not None and link_of(own) == link:
        return
    other = Act.objects.filter(
        kind=OtherAnswerFound.kind, subject=f"answer:{link.number}", data__witness=witness.name
    ).first()
    if other is None or Link.from_json(other.data["link"]) != link:
        raise Diverged(f"{witness.name} has given two answers with the number {link.number}.")


def _fits(answered: questions.Question, asked: Question) -> bool:
    """Whether this answers what we asked: the same set, and a head of our own log."""
    own = asked_of(asked)
    if not answered.same_set(own):
        return False
    head = (answered.size, answered.checkpoint_root)
    return head == (own.size, own.checkpoint_root) or root_at(answered.size) == answered.checkpoint_root


def _request(question: Question, witness: WitnessKeys, old: int, under: Seal) -> dict[str, object]:
    last, nodes = last_link(witness), read_nodes()
    return {
        "question": asked_of(question).as_json(),
        "checkpoint": str(Notes().of(under)),
        "old": old,
        "proof": [to_base64(each) for each in between(old, question.size, nodes=nodes)],
        "seal": shown(question.seal_act, under=under, nodes=nodes),
        "void": shown(question.void_act, under=under, nodes=nodes) if question.void_act is not None else None,
        "seen": last.as_json() if last is not None else None,
    }


def _read(said: Any, question: Question, witness: WitnessKeys) -> Link:
    """The link, believed once both of the witness's keys have signed it and it is about this attempt."""
    try:
        link = Link.from_json(said["link"])
    except (KeyError, TypeError, ValueError) as error:
        raise Away(f"What the witness says cannot be read: {error}") from None
    if not link.is_right(public=witness.public, rsa=witness.rsa) or link.question.key != asked_of(question).key:
        raise Away(f"What answers is not the witness {witness.name} that the log names.")
    if not _fits(link.question, question):
        raise Diverged(f"{witness.name} has answered another question for this attempt: its set is not ours.")
    return link
