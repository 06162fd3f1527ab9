"""What an export says of Keno, part by part, for a stranger's check (``keno/verify.py``). Pure.

``values`` (what was approved, when), ``tickets`` (entries of the ticket roots), ``game`` (one game settled again),
``pools`` (the jackpots' purses), ``sales``, ``payments``, ``vouchers``, ``shifts`` (the counter).
"""
