"""Matches between strategies: the same deals at two tables, with the sides exchanged."""
