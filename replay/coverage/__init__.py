"""What of each rule text is covered by which rule, check or number, and what shows it: docs/coverage.md.

Says what is there; it judges no round.
"""
