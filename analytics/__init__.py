"""Ask it: the warehouse of SQL views over the lake.

Imports `schemas` and `replay`; it reads the lake's files and never writes one.
"""
