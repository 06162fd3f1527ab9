"""The receipt of a ticket: its particulars as data, and that data as a page, as a PDF and as a printer's bytes.

``data.py`` says what is on it, once; the others only lay it out.
"""
