"""What promotions change only through an approval: declared by being imported when the app is ready."""

from promotions import amend, tournaments  # noqa: F401
