"""Pickup procedures: in which order the cards of a round go into the discard rack, as data (rulings.md R-5 to R-9).

* words: the vocabulary a procedure is written in, and conditions over it
* procedure: the steps, read from YAML; `procedures/` holds those of the games whose packs have none of their own
* situation: what wagers, actions and devices say of a round's hands
* layouts: every way the rack may be filled, and what each takes for granted
* picking: the procedure carried out, from hands to rack
"""
