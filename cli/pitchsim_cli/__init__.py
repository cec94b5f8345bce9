"""The `pitchsim` command."""
