"""The API's ground floor: every room's views stand on what is here.

``view.py`` says how a call is declared, ``fields.py`` what a request may hold, ``problems.py`` how a refusal is
answered.
"""
