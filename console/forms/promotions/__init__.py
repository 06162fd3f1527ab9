"""What the pages of promotions ask for."""
