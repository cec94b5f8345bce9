"""Bidding tables: what a row is, counting the rows, keeping them in files, and reading them."""
