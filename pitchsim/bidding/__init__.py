"""Bidding: strategies as data, auctions in which they meet, and what comes of them."""
