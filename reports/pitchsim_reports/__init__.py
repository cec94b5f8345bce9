"""Figures and reports of pitchsim studies."""
