"""What JSON can hold, where its shape is another's matter: an approved value, an act's data, a stored answer."""

from __future__ import annotations

from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
