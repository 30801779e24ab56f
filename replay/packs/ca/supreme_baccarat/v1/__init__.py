"""Supreme Baccarat as filed in California (CA): two community hands, and a player-dealer whose posted wager limits all.

pack.yaml, paytables/, fees/   the rules as data
rules                          the rules as functions over columns, each with its citation
drawing                        third cards: as the rules have them, and what differs
hands, solver                  the two hands from rack and deal, and what does not fit
bets                           who bet what, in columns
settlement                     what every wager should come to, and the cover running out
procedure                      wagers, limits, banks and buttons not as the rules say
views, case_round              a round for people; a case as a round
game                           the pack's interface

Where the text leaves something open and rulings.md is silent, the pack reads it so:
- A bettor on both lines has the Player line settled first (Game Rules names it first); backline bettors at a seat take
  turns by the first bet each has standing there. It matters only where the cover runs out between them.
- Every seat of the table counts for the action button, taken or not: "The other seats ... represent the other numbers".
- A Tie is a bonus bet under the later rates ($25 at most): the game's own schedules limit Tie and Total Shot together.
  The lowest bonus bet there is the game's own $1.
- A player who bets at two seats is a player at each: each (seat, bettor) pays its own fee of schedules 2 and 3.
- The player-dealer bets on neither hand: the posted wager is what "he/she" can win and lose.
- The text prints no irregularities and no age of cards: exposed and boxed cards and shoe faults call for nothing here.
- A table may file narrower limits than its schedule prints, within the printed range.
"""
