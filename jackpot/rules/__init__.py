"""What a linked table jackpot pays, to whom, in which order and from which purse. Pure: no Django, no clock, no I/O.

policies, catalogue    a rule set is data over a few policies; five of them
payouts                a finished round, paid
must_hit_by            how a must-hit-by movement is decided; must_hit_by_proof: the check of one by anybody
pool                   the purses of a link and what moves between them
mathematics            what a link is worth, exactly, before anybody approves it
"""
