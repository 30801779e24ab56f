"""What goes wrong on purpose: the catalogue of faults, and how each is done to a round as it was played.

A module for wagers and their settlement (money), for vigorish, envy and pay tables (paying), banks, fees, cards, the
hands of baccarat (coup) and what happens to the record on its way (wire). None knows how another does it.
"""
