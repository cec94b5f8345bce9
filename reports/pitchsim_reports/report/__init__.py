"""The report: what is asked for, what is found, and how it is written."""
