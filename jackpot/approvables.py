"""What changes of jackpots need a second person."""
