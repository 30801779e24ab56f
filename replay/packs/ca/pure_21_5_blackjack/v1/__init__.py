"""Pure 21.5 Blackjack as filed in California (CA): hands that draw towards 21.5, and a player-dealer whose posted wager
limits all.

pack.yaml, paytables/, fees/   the rules as data
rules.py                       the rules as functions over columns, each with its citation; LAW is all of them
cases/                         rounds somebody could have sat at, with what they come to

The family `replay.families.blackjack` audits such a game.

Where the text leaves something open and rulings.md is silent, the pack reads it so:
- Hands of a seat are numbered in the order they are played: a split makes the seat's next hand of the second card.
- Even money is settled with the wager it is taken on, in its turn: no wager of its own lies on the layout.
- A surrender gives up the hand, the wagers of those who bet behind it too; half of an odd sum is rounded down to the
  cent, in the player's favour.
- Surrender before the down card is looked at is open also against a Pure 21.5 Blackjack: it is not exposed by looking.
- An ace that was split may still be surrendered ("after each split").
- Doubling needs two cards, whatever they count (Charts 1A and 1B bind hitting and standing only, R-31).
- At one seat hands are settled one after the other, each with the seated player's wagers first and then those behind.
- What players do against the charts has no printed consequence: hands are settled by the cards as they were dealt.
- The text prints no irregularities and no age of cards: exposed and boxed cards and shoe faults call for nothing here.
"""
