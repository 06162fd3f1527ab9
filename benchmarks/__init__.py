"""The figures of DESIGN.md, each beside its baseline in the same run: ``make bench``."""
