"""Pages that stand on a counter or a table all evening. They call the API of the house with the person's session."""
