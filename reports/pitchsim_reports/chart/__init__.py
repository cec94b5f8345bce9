"""The bid chart: what stands in its grid, and the words to it."""
