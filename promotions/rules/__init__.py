"""What a promotion must say, may give and owes, under either edition. Pure: no Django, no clock, no I/O."""
