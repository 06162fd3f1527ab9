"""What Keno changes only through an approval: declared by being imported when the app is ready."""

from keno import bonuses, catalogue, claims, return_to_players, tournaments  # noqa: F401
