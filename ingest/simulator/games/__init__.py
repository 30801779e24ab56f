"""The games that can be simulated, a folder for each: what may be filed, and how it is played and settled."""
