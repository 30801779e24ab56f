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
"""
