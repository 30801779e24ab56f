"""Three cards each against a player-dealer: an ante that is played or folded, and bonus bets on one hand or on both.

seats        who bet, played and folded, in columns
deal         hands as they were dealt
pickup       hands as they lie in the rack, by the procedure filed
hands        both together, with the hands shown; odd racks go to odd_racks and the solver
settlement   what every wager should come to, as lines; covered cuts them down to what was posted
procedure    what was not done as the rules say
"""
