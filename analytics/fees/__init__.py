"""Collection fees of many rounds: what was due, reported and counted, fast enough for a month of a card room.

* flat: of each segment a flat table of its fees and of its drop-box counts, kept in a cache
* shifts: from one count of a drop box to the next, and the rounds that explain a difference
* sums: what a month or a day comes to, by table, dealer, shift and schedule
"""
