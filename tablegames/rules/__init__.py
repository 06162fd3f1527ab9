"""What every wager of a settled hand is owed, with the clause for each figure. Pure: no Django, no clock, no I/O."""
