"""What suits and points are called in what people read."""

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
POINT_TITLES = {
    "high": "High",
    "low": "Low",
    "jack": "Jack",
    "off_jack": "Off-jack",
    "high_joker": "High joker",
    "low_joker": "Low joker",
    "trump_three": "Trump three",
    "trump_five": "Trump five",
    "off_five": "Off-five",
    "ace_of_hearts": "Ace of hearts",
    "game": "Game",
}
