"""Players, their cards, and what protects them: exclusions, breaks, the employee policy, loss and deposit limits.

cards        who a card belongs to, and whether it is valid
restrict     exclusions, the employee gambling policy, breaks
limits       limits as the player asks for them, and what room they leave
play         every wager with a card is asked for here, and what it gave back is told here
declare      chips a player with a loss limit has bought, brought or taken away
"""
