"""Monte Carlo bid analysis for the card game Pitch."""
