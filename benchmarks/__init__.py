"""How fast and how good pitchsim is: measurements to read, none of which is a test."""
