"""The paper's experiments in one command: our engine beside every system the paper compares to."""
