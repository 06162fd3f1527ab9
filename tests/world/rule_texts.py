"""The rules themselves, as whoever asks for them gets them."""

from __future__ import annotations

# The clause of each document by which its rules are there for whoever asks.
ON_REQUEST = ("nsw-csp:16.20", "nsw-lp:14.14", "act-bj:16.11", "act-ar:10.11", "act-bac:11.11", "act-mb:11.11",
              "act-pg:17.11", "act-cp:15.11", "act-sb:10.10", "act-mw:10.11", "act-pk:18.11")  # fmt: skip
