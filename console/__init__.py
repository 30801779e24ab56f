"""Show it: the `muckraker` command.

The only folder that knows both `ingest` and `replay`: it hands the worker the replay, and people what came of it.
"""
