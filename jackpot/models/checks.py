from __future__ import annotations

from collections.abc import Sequence

import pgtrigger


def kept_for_good() -> pgtrigger.Trigger:
    return pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)


def unchanged_once(name: str, fields: Sequence[str], *, when: pgtrigger.Q) -> pgtrigger.Trigger:
    """These columns stay as they are from the moment that *when* describes on: what was sealed is not rewritten."""
    changed = pgtrigger.Q()
    for field in fields:
        changed |= pgtrigger.Q(**{f"old__{field}__df": pgtrigger.F(f"new__{field}")})
    return pgtrigger.Protect(name=name, operation=pgtrigger.Update, condition=when & changed)
