"""The words that all rooms share. No I/O, no third-party imports but msgspec."""
