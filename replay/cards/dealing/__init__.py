"""Deals: from the order in which cards left a shoe, a shuffler or a hand to the hands they make, for every dealing
method in the rule texts; and what it means where the deal, the rack and the hands shown do not agree.

* method: what a dealing method is, as data
* methods: those of games that have no pack yet, each with its citation
* start: where a deal begins
* order: which card goes where, one permutation a shape
* by_hand: one deal card by card, with boxed and exposed cards and their replacements
* delivery: which way a deal was delivered after all, where it does not fit as filed
* compare: deal, rack and hands shown against each other
"""
