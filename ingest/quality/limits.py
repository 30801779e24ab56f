"""What counts as good data: every limit of the quality suites, with its reason.

A result says which version of the suites made it. Whoever changes a limit, an expectation or a frame raises
SUITE_VERSION: everything is then checked again, and the old results stay beside the new ones.
"""

from __future__ import annotations

SUITE_VERSION = 4

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US
DAY_US = 24 * HOUR_US

# --- the gaming day ---------------------------------------------------------------------------------------------------

DAY_BORDER_HOUR = 6
"""UTC. Only for what no table says: the day of a table that announces none, and the deadline for closing one."""
DAY_GRACE_US = 6 * HOUR_US
"""How long past the border a table may keep its day open: the last hand is played out, the tray is counted."""
SETTING_UP_US = HOUR_US
"""Events so long before a table's first `table.opened` belong to that day: its devices come up before it opens."""
DAYS_REMEMBERED = 40
"""How many gaming days back an event that comes late has its day checked again."""

# --- completeness -----------------------------------------------------------------------------------------------------

EVERY_ROUND = frozenset(
    {
        "round.opened",
        "round.closed",
        "bets.closed",
        "wager.placed",
        "wager.settled",
        "start.determined",
        "cards.dealt",
        "hand.shown",
        "discard.read",
    }
)
"""What a device that announced it has to say in a round with wagers that was not voided."""
WITHOUT_FAIL = frozenset({"round.closed", "bets.closed", "wager.settled", "cards.dealt", "discard.read"})
"""Of these what is said in every single round: cards are dealt and collected, betting ends, wagers are settled."""
EVERY_DAY = frozenset({"table.opened", "shuffle.completed", "cards.introduced", "collection.taken", "meter.read"})
"""What is said now and then: at least once in a day of LONG_DAY_ROUNDS."""
HEARD_SHARE = 0.75
"""Of the rounds; a device heard in fewer is not there. (A lone player who surrenders shows no hand, a bet may stand
from before; what is said WITHOUT_FAIL is held against every round, once the device is there.)"""
HEARD_ROUNDS = 10  # fewer rounds do not show whether a device is there
LONG_DAY_ROUNDS = 100

ROUND_EVENTS_FACTOR = 5
"""Rounds of one table have between a fifth and five times the events of its middle round. On simulated tables of all
filings the extremes were 0.4 and 1.7 times."""
ROUND_EVENTS_MOST = 1_000
ROUND_EVENTS_ROUNDS = 20  # fewer rounds have no middle worth the name

# --- ranges -----------------------------------------------------------------------------------------------------------

WAGER_FACTOR = 10
"""A wager above the filed maximum is WAGER-502; one above ten times the maximum was not placed but misread."""
WAGER_MOST_CENTS = 100_000_000  # $1,000,000, where no maximum is filed
PAID_MOST_CENTS = 1_000_000_000  # $10,000,000: 8,000 to 1 on $200 is $1,600,000
FEE_MOST_CENTS = 10_000_000  # $100,000
TRAY_MOST_CENTS = 10_000_000_000  # $100,000,000 in a chip tray, a fill, a credit or a drop box
CARDS_MOST = 8 * 54  # the largest shoe there is, where nobody said what is in play

# --- rates ------------------------------------------------------------------------------------------------------------

MINUTE_EVENTS_MOST = 600
"""Of one table. The busiest simulated minute has 54; fourteen seats with backline bettors come to some 200."""
HOUR_FACTOR = 4
"""An hour with four times the events of the table's middle hour is not play."""
HOUR_COUNT = 4  # full hours: fewer give a table no rhythm of its own
HOUR_EVENTS = 100  # a table that hardly plays is no measure for an hour in which it does
REFUSED_SHARE = 0.05
REFUSED_FEW = 20  # so many refused records of a table in a segment are single accidents, and the gate reports each

# --- clocks and silence -----------------------------------------------------------------------------------------------

SKEW_MOST_US = 5 * SECOND_US  # docs/events.md, clocks
DATE_MOST_US = 36 * HOUR_US  # from the middle of the gaming day, wherever on earth its border lies
LOG_AHEAD_US = 5 * SECOND_US  # nothing is logged before it happens
LOG_BEHIND_US = 5 * MINUTE_US  # or it was delivered late, and the promptest tenth of a device's events is looked at
LOG_LIVE_US = MINUTE_US  # a log that did not move for so long was fed from a file and is no clock
LOG_LIVE_SHARE = 0.5
CLOCK_EVENTS = 5  # fewer in an hour do not show a clock; the device's last five are then looked at

DEALER_OVERLAP_US = 2 * SKEW_MOST_US
"""Clocks of two tables may differ by so much: a dealer who walks from one to the other is not at both."""
SLOT_US = 15 * MINUTE_US  # rounds of a dealer are put side by side so much at a time

SILENT_US = 15 * MINUTE_US
SILENT_ROUNDS = 5
SILENT_FACTOR = 5  # times its usual distance in rounds
RHYTHM_ROUNDS = 10  # a device heard in fewer rounds has no usual distance
TABLE_SILENT_US = 30 * MINUTE_US  # three heartbeats (docs/events.md, signatures)
