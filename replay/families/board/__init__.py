"""Poker with a board: hole cards, cards common to all, rounds of betting, and pots that the best hands share.

`game` is the interface; `betting` follows the chips, `hands` finds whose cards lay where, `settlement` divides the
pots, `procedure` says what was not done as the rules say.
"""
