"""Supreme Baccarat as filed in California (CA): two community hands, and a player-dealer whose posted wager limits all.

pack.yaml, paytables/, fees/   the rules as data
rules.py                       the rules as functions over columns, each with its citation; LAW is all of them
cases/                         rounds somebody could have sat at, with what they come to

The family `replay.families.two_hands` audits such a game.

Where the text leaves something open and rulings.md is silent, the pack reads it so:
- A bettor on both lines has the Player line settled first (Game Rules names it first); backline bettors at a seat take
  turns by the first bet each has standing there. It matters only where the cover runs out between them.
- Every seat of the table counts for the action button, taken or not: "The other seats ... represent the other numbers".
- A Tie is a bonus bet under the later rates ($25 at most): the game's own schedules limit Tie and Total Shot together.
  The lowest bonus bet there is the game's own $1.
- Whoever bets at two seats is one player as far as devices say so (a bettor named twice, or a patron at two seats) and
  pays the fee of schedules 2 and 3 once, on all of it and at any of the seats (R-52).
- The player-dealer bets on neither hand: the posted wager is what "he/she" can win and lose.
- The text prints no irregularities and no age of cards: exposed and boxed cards and shoe faults call for nothing here.
- A table may file narrower limits than its schedule prints, within the printed range.
"""
