"""Poker with a board at a simulated table: betting, pots and cards by its own reading of the CA texts.

`betting` has players decide, `pots` divides what lies in the middle, `table` is the day around it. It shares nothing
with the replay; a game (`ingest.simulator.games`) says how many hole cards there are and which five of them count.
"""
