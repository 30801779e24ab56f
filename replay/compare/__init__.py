"""What should have happened beside what was reported. Knows no game and no hand."""
