"""California Fortune Pai Gow Poker: player-dealer and cover, the action pile, backline bettors, Fortune and envy, fees.

* pack.yaml, dealing.yaml, paytables/, fees/: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family split_hands asks for
"""
