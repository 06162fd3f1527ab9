"""What may be done next with a file of entries, and by whom; whether its list may be sealed. As `promotions.steps`."""

from __future__ import annotations

from django.db.models import QuerySet

from house.persons import is_another
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden
from promotions.lifecycle import Step
from promotions.models import Import, Promotion
from promotions.permissions import IMPORT, WITHDRAW
from promotions.steps import allows, must_allow


def must_be_stoppable(made: Import) -> None:
    if made.finished_at is not None:
        raise Conflict("import-over", f"Import {made.pk} is {made.state} already.")


def must_be_confirmable(made: Import, by: Actor) -> None:
    """By another person than who brought it in, once it is over and has entered anybody."""
    if made.finished_at is None:
        raise Conflict("import-under-way", f"Import {made.pk} is under way: confirm it when it is over.")
    if not made.entered:
        raise Conflict("import-entered-nothing", f"Import {made.pk} has entered nobody: nothing is to be confirmed.")
    if made.rejected_at is not None:
        raise Conflict("already-rejected", f"Import {made.pk} has been rejected.")
    if made.confirmed_at is not None:
        raise Conflict("already-confirmed", f"Import {made.pk} has been confirmed already.")
    if not is_another(by, IMPORT, made.made_by):
        raise Forbidden("same-person", "Somebody else confirms it than the person who brought the file in.")


def must_be_rejectable(made: Import, by: Actor) -> None:
    """Before the seal, once it is over and has entered anybody; by two people, as any entry is taken out."""
    must_allow(Step.WITHDRAW, made.promotion)
    if made.finished_at is None:
        raise Conflict("import-under-way", f"Import {made.pk} is under way: stop it, then reject it.")
    if not made.entered:
        raise Conflict("import-entered-nothing", f"Import {made.pk} has entered nobody: nothing is to be rejected.")
    if made.rejected_at is not None:
        raise Conflict("already-rejected", f"Import {made.pk} has been rejected already.")
    if not is_another(by, WITHDRAW, made.rejection_said_by):
        raise Forbidden("same-person", "You said so already: another person says it, too, and then it is rejected.")


def unconfirmed_imports() -> QuerySet[Import]:
    """Files that entered somebody and that only who brought them in has seen: their lists are not sealed."""
    return Import.objects.filter(entered__gt=0, confirmed_at=None, rejected_at=None)


def must_be_confirmed(promotion: Promotion) -> None:
    """Refuse to seal what a file has entered on one person's word."""
    waits = unconfirmed_imports().filter(promotion=promotion).order_by("id").first()
    if waits is not None:
        raise Conflict(
            "import-unconfirmed",
            f"“{waits.name}” entered {waits.entered} people in {promotion.code}, and only who brought it in has seen "
            "it: another person looks at the import and confirms it, or two reject it, then the list is sealed.",
        )


def of_import(made: Import, by: Actor) -> frozenset[str]:
    may = by.may(IMPORT)
    open_ = {
        "stop": may and not made.work.cancel_asked and allows(lambda: must_be_stoppable(made)),
        "confirm": may and allows(lambda: must_be_confirmable(made, by)),
        "reject": by.may(WITHDRAW) and allows(lambda: must_be_rejectable(made, by)),
    }
    return frozenset(name for name, is_open in open_.items() if is_open)
