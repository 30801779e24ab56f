"""Who sits at a table and what they bet: the game's own wager, and the side wagers beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ingest.simulator.card_table import CardTable
from ingest.simulator.faults.injection import Injection
from ingest.simulator.paytables import QUALIFYING_CENTS
from ingest.simulator.played import Bet, Fee, Settled, SplitPlayed
from ingest.simulator.side_wagers import SideWager
from ingest.simulator.voice import LAYOUT, Say


@dataclass
class Player:
    """How the person in a seat likes to bet."""

    usual_cents: int
    sides_cents: dict[str, int]
    """What they put on the side wagers they like."""


class BettingTable(CardTable):
    """A table at which people sit down, bet and leave."""

    base: str
    """The wager everybody makes."""
    sides: Mapping[str, SideWager]
    """The side wagers by name, also those that this table does not offer."""
    players: dict[int, Player]
    most_over = 200

    def limits(self, wager: str) -> tuple[int, int]:
        if wager in self.sides:
            return self.sides[wager].least_cents, self.sides[wager].most_cents
        return self.filed.table_minimum_cents, self.filed.table_maximum_cents

    def new_player(self) -> Player:
        filed, rng = self.filed, self.rng
        steps = (filed.table_maximum_cents - filed.table_minimum_cents) // 500
        usual = filed.table_minimum_cents + 500 * min(int(rng.expovariate(1 / 6)), steps)
        sides: dict[str, int] = {}
        for side in self.sides.values():
            likes = side.offered and rng.random() < 0.5
            cents = rng.choice(side.usual_cents) if side.usual_cents else side.least_cents
            if likes:
                sides[side.name] = cents
        return Player(usual, sides)

    def may_leave(self, seat: int) -> bool:
        return len(self.players) > 1

    def come_and_go(self) -> None:
        rng = self.rng
        if rng.random() < 0.05:
            seat = rng.randrange(self.seats[0], self.seats[-1] + 1)
            if seat not in self.players:
                self.players[seat] = self.new_player()
            elif self.may_leave(seat):
                del self.players[seat]
        if not self.players:
            self.players[rng.randrange(self.seats[0], self.seats[-1] + 1)] = self.new_player()

    def bet_cents(self, player: Player) -> int:
        rng, filed = self.rng, self.filed
        cents = player.usual_cents
        chance = rng.random()
        if chance < 0.25:
            cents += 500 * rng.randrange(-3, 6)
        elif chance < 0.33:
            cents += 100 * rng.randrange(1, 5)
        elif chance < 0.37:
            cents += rng.choice((25, 50, 75, 250))
        return max(filed.table_minimum_cents, min(cents, filed.table_maximum_cents))

    def take_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        rng = self.rng
        if played.bank is None:
            self.come_and_go()
        seated = sorted(seat for seat in self.players if played.bank is None or seat != played.bank.seat)
        for seat in seated:
            if rng.random() < 0.07 and len(self.players) > 1:
                continue
            player = self.players[seat]
            self.place(played, seat, self.base, self.bet_cents(player))
            for wager, cents in player.sides_cents.items():
                if rng.random() < 0.85:
                    self.place(played, seat, wager, cents)
            if rng.random() < 0.01:
                for bet in played.at(seat):
                    played.wager_says.append(Say("wager.withdrawn", bet.where(), LAYOUT))
                played.bets = [bet for bet in played.bets if bet.seat != seat]
        self.wanted_wagers(played, injection)
        if not played.bets:
            self.place(played, seated[0], self.base, self.bet_cents(self.players[seated[0]]))

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        """Wagers without which the fault asked for could not be done."""

    def place(self, played: SplitPlayed, seat: int, wager: str, cents: int) -> None:
        """Puts a wager down; now and then it is changed, or taken back, before betting closes."""
        chance = self.rng.random()
        says = played.wager_says
        placed = cents
        if chance < 0.02:
            lowest, highest = self.limits(wager)
            placed = max(lowest, min(cents + 500, highest))
        bet = Bet(seat, wager, cents, choice=self.choose(wager))
        says.append(Say("wager.placed", bet.where() | {"amount_cents": placed}, LAYOUT))
        if placed != cents:
            says.append(Say("wager.changed", bet.where() | {"amount_cents": cents}, LAYOUT))
        if wager in self.sides and chance > 0.985:
            says.append(Say("wager.withdrawn", bet.where(), LAYOUT))
        else:
            played.bets.append(bet)

    def choose(self, wager: str) -> str:
        """What somebody places it on."""
        choices = self.sides[wager].choices if wager in self.sides else ()
        return self.rng.choice(choices) if choices else ""

    def any_bet(self, played: SplitPlayed) -> Bet:
        seat = self.rng.choice(played.seats)
        wager = self.rng.choice(sorted({bet.wager for bet in played.at(seat) if self.limited(bet.wager)}))
        return next(bet for bet in played.at(seat) if bet.wager == wager)

    def likeliest_wrong(self, won: list[Settled]) -> Settled:
        side = [each for each in won if each.bet.wager in self.sides]
        return self.rng.choice(side if side and self.rng.random() < 0.7 else won)

    def payout_errors(self, right: int, stake: int) -> list[int]:
        return [right + stake, right - 100, right + 500, right // 2]

    def spots_without_wager(self, played: SplitPlayed) -> list[tuple[int, str]]:
        spots = [(seat, self.base) for seat in self.idle(played) if seat in self.seats]
        offered = [side.name for side in self.sides.values() if side.offered]
        return spots + [(seat, side) for side in offered for seat in played.seats if not played.cents(seat, side)]

    def bet_late(self, injection: Injection, played: SplitPlayed) -> None:
        """After the cards are out, a wager is raised, or a side wager made or taken back.

        That only where it is nobody else's concern (see `side_concerns_nobody`), and no fee turns on it: whether a late
        wager counts for the fees is not what is being tried.
        """
        seat = self.rng.choice(played.seats)
        names = self.late_sides
        name = self.rng.choice(names) if len(names) > 1 else "".join(names)
        quiet = name in self.sides and self.sides[name].offered and self.side_concerns_nobody(played, seat)
        side, base = played.find(seat, name), played.find(seat, self.base)
        assert base is not None, f"seat {seat} has a wager and none on its hand"
        choice = self.rng.random()
        bets = list(played.bets)
        if choice < 0.3 and quiet and side is None:
            changed = Bet(seat, name, max(QUALIFYING_CENTS, self.limits(name)[0]))
            bets.append(changed)
            say, detail = "wager.placed", f"{changed.cents} cents placed after the close"
        elif choice < 0.5 and quiet and side is not None:
            changed = side
            bets.remove(side)
            say, detail = "wager.withdrawn", "withdrawn after the close"
        else:
            raised = min(self.limits(self.base)[1], base.cents + 500 * self.rng.randrange(1, 20))
            changed = replace(base, cents=raised)
            bets[bets.index(base)] = changed
            say, detail = "wager.changed", f"raised from {base.cents} to {raised} cents after the close"
            if raised <= base.cents:
                return
        if self.fees_due(replace(played, bets=bets)) == self.fees_due(played):
            played.bets = bets
            amount = {} if say == "wager.withdrawn" else {"amount_cents": changed.cents}
            played.late_says.append(Say(say, changed.where() | amount, LAYOUT))
            injection.done(detail, seat, changed.wager)

    @property
    def late_sides(self) -> list[str]:
        """The side wagers that may be made or taken back too late."""
        return list(self.sides)

    def side_concerns_nobody(self, played: SplitPlayed, seat: int) -> bool:
        """Whether a late side wager changes nothing for other hands and players."""
        return True

    def limited(self, wager: str) -> bool:
        """Whether the limits of a wager are filed."""
        return wager not in self.sides or self.sides[wager].limits_filed

    def fees_due(self, played: SplitPlayed) -> list[Fee]:
        """The collection fees on the wagers as they stand."""
        return []

    def idle(self, played: SplitPlayed) -> list[int]:
        """Places whose hands are collected at once: nobody plays them."""
        playing = {*played.seats, self.against(played)}
        return [place for place in self.seats if place not in playing]
