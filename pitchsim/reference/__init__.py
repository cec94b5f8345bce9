"""The rules of Pitch in plain Python: slow, and written to be read as the specification.

Each rule of the card table is one short function. The compiled engine is checked against this
package card by card, so the two share no code and never import each other.
"""
