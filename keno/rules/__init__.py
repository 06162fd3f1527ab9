"""The rules of Keno (ACT, Casino Canberra, 1999), pure and exact: no Django, no clock, no I/O.

A reader who wants to know what Keno sells, charges and pays reads this package and nothing else.
"""
