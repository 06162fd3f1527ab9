"""What the orders say of tournaments, of every game: fees, what is retained, places and prizes. Pure."""
