from __future__ import annotations

import pgtrigger


def kept_for_good() -> pgtrigger.Trigger:
    return pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)
