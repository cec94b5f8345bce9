"""Many hands, under many rules and plays: what each is worth, as one tidy frame."""
