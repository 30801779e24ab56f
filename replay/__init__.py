"""Check it: rebuild every round from what was recorded, work out what it should have come to, and compare.

Never imports `ingest`: it is a pure function of (events, packs), handed to the worker by the `muckraker` command.
"""
