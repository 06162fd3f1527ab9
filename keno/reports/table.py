"""Keno's reports are tables like every room's (`house.reports`)."""

from house.reports import Report, as_csv, as_pdf, percent, report

__all__ = ["Report", "as_csv", "as_pdf", "percent", "report"]
