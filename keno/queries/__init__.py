"""What is read of Keno, for calls and pages alike: games, tickets, and the counter round them. Nothing is changed."""
