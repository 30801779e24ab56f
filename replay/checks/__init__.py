"""Procedure: what was not done as the rules say. One subject a module; limits and citations come from the pack."""
