"""What a settled hand should have been paid, from the gazetted texts. Pure: no Django, no clock, no I/O.

`catalogue.settle` is the door: wagers, cards or outcome, choices and the table's terms in; what each wager is owed,
with the clause of each figure, out. What cannot have happened is refused with its clause and its field.
"""
