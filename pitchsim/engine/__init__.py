"""The compiled deal-and-play engine."""
