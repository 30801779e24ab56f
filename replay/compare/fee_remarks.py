"""One round's fees, one by one: each due fee with the report it goes with, then what is left over.

A fee that was let off, or given back, is told as that (FEE-908, FEE-909), and not as one that is missing. Giving back
what had been taken too much puts the mistake right: then nobody is out by anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from replay.citations import Citation, cite
from replay.game import FeeMoment
from replay.lines import Lines
from replay.money.ledger import POT, box, differences, fee_payer, who_is_out
from replay.remarks import Remark
from replay.rounds import PAYERS, Fact, Facts, Ints, RoundBatch
from schemas.events import Payer
from schemas.findings import Basis
from schemas.money import dollars

_ONE_SCHEDULE = cite("rulings.md", "R-32", "A table uses one schedule at a time")
_WAGERS_STAND = cite("rulings.md", "R-53", "it cannot be taken before they are placed")
Moved = tuple[str, str, int]
"""From which account to which, and how much more than should have."""


def payer_in_words(payer: int, seat: int = 0, bettor: str = "") -> str:
    """Who pays; the seat only where the finding is not filed under it anyway."""
    who = {Payer.PLAYER_DEALER: "the player-dealer", Payer.POT: "the pot"}.get(PAYERS[payer], "the player")
    return who + (f" in seat {seat}" if seat else "") + (f" ({bettor})" if bettor else "")


@dataclass(frozen=True)
class RoundFees:
    """The fees of a batch, and the round of it that is looked at."""

    batch: RoundBatch
    row: int
    due: Lines
    facts: Facts  # fees taken
    let_off: Facts  # waived and given back
    slots: tuple[Ints, Ints]  # of lines and of reports: the same ones go together
    rates: Mapping[int, frozenset[int]]  # payer → every rate that a filed schedule has
    moment: FeeMoment | None = None  # of the schedule in use

    def remarks(self, owed: Sequence[int], got: Sequence[int], off: Sequence[int]) -> Iterator[Remark]:
        left, kinds = list(got), self.let_off.kind
        waived = [at for at in off if kinds[at] == Fact.WAIVED]
        refunds = [at for at in off if kinds[at] == Fact.REFUNDED]
        missing: list[int] = []
        for line in owed:
            mine = [fact for fact in left if self.slots[1][fact] == self.slots[0][line]]
            if not mine:
                missing.append(line)
                continue
            for fact in mine:
                left.remove(fact)
            yield from self._amount(line, mine[0], waived, refunds)
            yield from self._where_and_when(line, mine[0])
            for extra in mine[1:]:
                yield self._again(line, mine[0], extra, refunds)
        for line in missing:
            yield from self._missing(line, left, waived)
        for fact in left:
            yield self._owes_none(fact, refunds)
        for refund in refunds:
            yield self._given_back(refund, owed)

    # --- each fee ----------------------------------------------------------------------------------------------------

    def _amount(self, line: int, fact: int, waived: list[int], refunds: list[int]) -> Iterator[Remark]:
        fee, amount = int(self.due.paid[line]), int(self.facts.amount[fact])
        if amount == fee:
            return
        citation, seq = self._cite(line), int(self.facts.seq[fact])
        who = payer_in_words(int(self.due.payer[line]))
        said = f"{dollars(amount)} taken from {who}; {citation} asks for {dollars(fee)}"
        if amount > fee and (refund := self._refund_of(self.facts, fact, amount - fee, refunds)) is not None:
            said += f", and {dollars(amount - fee)} was given back"
            yield self._line_remark("FEE-909", said, line, (fee, amount), (seq, self._off_seq(refund)))
            return
        if amount < fee and (one := self._waiver_of(line, fee - amount, waived)) is not None:
            said += f", and {dollars(fee - amount)} of it was let off{self._by(one)}"
            yield self._short("FEE-908", said, line, (fee, amount), (seq, self._off_seq(one)), fee - amount)
            return
        known = self.rates.get(int(self.due.payer[line]), frozenset((amount,)))
        code = "FEE-902"
        if amount not in known:
            code = "FEE-910"
            said += f", and no schedule filed for this game has a fee of {dollars(amount)} for {who}"
        yield self._short(code, said, line, (fee, amount), (seq,), fee - amount)

    def _where_and_when(self, line: int, fact: int) -> Iterator[Remark]:
        due, names = self.due, self.batch.names
        citation, amount, seq = self._cite(line), int(self.facts.amount[fact]), int(self.facts.seq[fact])
        who, sums = payer_in_words(int(due.payer[line])), (int(due.paid[line]), amount)
        if self.facts.choice[fact] != due.choice[line]:
            dropped, filed = names[self.facts.choice[fact]], self._filed_box(line)
            text = f"{dollars(amount)} dropped in box {dropped!r}; the filed box is {filed!r}"
            yield self._line_remark("FEE-906", text, line, sums, (seq,), (box(filed), box(dropped), amount))
        if due.earliest[line] >= 0 and seq <= due.earliest[line]:
            after, by = ("the moment filed", citation) if self.moment is None else (self.moment.after, self.moment.cite)
            text = f"{dollars(amount)} taken from {who} before {after}; {by} has it taken after"
            yield self._line_remark("FEE-904", text, line, sums, (seq,), citation=by)
        elif seq < due.stands[line]:
            text = f"{dollars(amount)} taken from {who} before the wagers it is counted on stood"
            yield self._line_remark("FEE-907", text, line, sums, (seq, int(due.stands[line])), citation=_WAGERS_STAND)
        if due.latest[line] >= 0 and seq >= due.latest[line]:
            end, by = ("the moment filed", citation) if self.moment is None else (self.moment.before, self.moment.cite)
            text = f"{dollars(amount)} taken from {who} after {end}; {by} has it taken before"
            yield self._line_remark("FEE-904", text, line, sums, (seq,), citation=by)

    def _again(self, line: int, first: int, extra: int, refunds: list[int]) -> Remark:
        amount = int(self.facts.amount[extra])
        who = payer_in_words(int(self.due.payer[line]))
        both = int(self.facts.seq[first]), int(self.facts.seq[extra])
        text = f"{dollars(amount)} taken from {who} again; {self._cite(line)} asks for it once a round"
        if (refund := self._refund_of(self.facts, extra, amount, refunds)) is not None:
            return self._line_remark(
                "FEE-909", f"{text}, and it was given back", line, (0, amount), (*both, self._off_seq(refund))
            )
        moved = self._paying(line), box(self.batch.names[self.facts.choice[extra]]), amount
        return self._line_remark("FEE-905", text, line, (0, amount), both, moved)

    def _missing(self, line: int, left: list[int], waived: list[int]) -> Iterator[Remark]:
        due, facts, names = self.due, self.facts, self.batch.names
        citation, fee = self._cite(line), int(due.paid[line])
        who = payer_in_words(int(due.payer[line]))
        if (one := self._waiver_of(line, fee, waived)) is not None:
            text = f"the collection fee of {dollars(fee)} from {who} was let off{self._by(one)}; {citation} asks for it"
            yield self._short("FEE-908", text, line, (fee, 0), (self._off_seq(one),), fee)
            return
        paired = min(left, key=lambda fact: (facts.amount[fact] != fee, facts.seq[fact]), default=None)
        if paired is None:
            text = f"no collection fee taken from {who}; {citation} asks for {dollars(fee)}"
            yield self._short("FEE-901", text, line, (fee, 0), (int(self.batch.last_seq[self.row]),), fee)
            return
        # Two people are concerned: who owes the fee and did not pay it, and who paid it and does not owe it.
        left.remove(paired)
        amount, seqs, payer = int(facts.amount[paired]), (int(facts.seq[paired]),), int(facts.code[paired])
        other = payer_in_words(payer, int(facts.seat[paired]), names[facts.bettor[paired]])
        text = f"by {citation} {who} owes {dollars(fee)}; {dollars(amount)} was taken from {other} instead"
        yield self._short("FEE-903", text, line, (fee, 0), seqs, fee)
        owing = payer_in_words(int(due.payer[line]), int(due.seat[line]), names[due.bettor[line]])
        text = f"{dollars(amount)} taken from {payer_in_words(payer)}; by {citation} {owing} owes the fee"
        yield self._fact_remark("FEE-903", text, citation, paired, (0, amount), seqs, self._dropped(facts, paired))

    def _owes_none(self, fact: int, refunds: list[int]) -> Remark:
        amount, seq = int(self.facts.amount[fact]), int(self.facts.seq[fact])
        text = f"{dollars(amount)} taken from {payer_in_words(int(self.facts.code[fact]))}, who owes no collection fee"
        if (refund := self._refund_of(self.facts, fact, amount, refunds)) is not None:
            seqs = seq, self._off_seq(refund)
            return self._fact_remark("FEE-909", f"{text}, and given back", _ONE_SCHEDULE, fact, (0, amount), seqs)
        return self._fact_remark(
            "FEE-903", text, _ONE_SCHEDULE, fact, (0, amount), (seq,), self._dropped(self.facts, fact)
        )

    def _given_back(self, refund: int, owed: Sequence[int]) -> Remark:
        """Out of the box, though it had been due, or nobody had reported it taken."""
        off = self.let_off
        amount, payer = int(off.amount[refund]), int(off.code[refund])
        line = next((one for one in owed if self._is_of(off, refund, one)), None)
        citation = _ONE_SCHEDULE if line is None else self._cite(line)
        due = "no fee was due and none too much had been taken" if line is None else f"{citation} asks for the fee"
        text = f"{dollars(amount)} of collection fees given back to {payer_in_words(payer)}; {due}"
        source, target, cents = self._dropped(off, refund)
        return self._off_remark("FEE-909", text, citation, refund, amount, (target, source, cents))

    # --- which belong together ---------------------------------------------------------------------------------------

    def _is_of(self, of: Facts, at: int, line: int) -> bool:
        """Whether what is said of fees is of whoever owes this one."""
        due = self.due
        same = of.code[at] == due.payer[line] and of.seat[at] == due.seat[line] and of.bettor[at] == due.bettor[line]
        return bool(same) and int(of.wager[at]) in (0, int(due.wager[line]))

    def _waiver_of(self, line: int, cents: int, waived: list[int]) -> int | None:
        """The report that so much of this fee was let off; it is used up."""
        found = next(
            (at for at in waived if self._is_of(self.let_off, at, line) and self.let_off.amount[at] == cents), None
        )
        if found is not None:
            waived.remove(found)
        return found

    def _refund_of(self, facts: Facts, fact: int, cents: int, refunds: list[int]) -> int | None:
        """The report that so much was given back to who paid this, out of the box it had gone into; it is used up."""
        off = self.let_off
        found = next(
            (
                at
                for at in refunds
                if off.amount[at] == cents
                and off.seq[at] > facts.seq[fact]
                and all(getattr(off, name)[at] == getattr(facts, name)[fact] for name in ("code", "seat", "choice"))
                and off.bettor[at] == facts.bettor[fact]
            ),
            None,
        )
        if found is not None:
            refunds.remove(found)
        return found

    # --- remarks -----------------------------------------------------------------------------------------------------

    def _cite(self, line: int) -> Citation:
        cites: tuple[Citation, ...] = self.due.cites
        return cites[int(self.due.cite[line])]

    def _off_seq(self, at: int) -> int:
        return int(self.let_off.seq[at])

    def _by(self, waiver: int) -> str:
        name = self.batch.names[self.let_off.choice[waiver]]
        return f" by {name}" if name else ", and nobody is named who did so"

    def _filed_box(self, line: int) -> str:
        return self.batch.names[self.due.choice[line]] if self.due.choice[line] >= 0 else ""

    def _paying(self, line: int) -> str:
        """The account a fee comes out of."""
        due = self.due
        bettor = self.batch.names[due.bettor[line]]
        return fee_payer(self.batch, self.row, int(due.payer[line]), int(due.seat[line]), bettor)

    def _dropped(self, of: Facts, fact: int) -> Moved:
        """What a reported fee moved."""
        bettor, seat, payer = self.batch.names[of.bettor[fact]], int(of.seat[fact]), int(of.code[fact])
        amount = int(of.amount[fact])
        return fee_payer(self.batch, self.row, payer, seat, bettor), box(self.batch.names[of.choice[fact]]), amount

    def _short(
        self, code: str, said: str, line: int, sums: tuple[int, int], seqs: tuple[int, ...], cents: int
    ) -> Remark:
        """The box has so much too little, and whoever owes the fee so much too much."""
        return self._line_remark(code, said, line, sums, seqs, (self._paying(line), box(self._filed_box(line)), -cents))

    def _line_remark(
        self,
        code: str,
        said: str,
        line: int,
        sums: tuple[int, int],
        seqs: tuple[int, ...],
        *moved: Moved,
        citation: Citation | None = None,
    ) -> Remark:
        about = int(self.due.seat[line]), self.batch.names[self.due.bettor[line]], int(self.due.payer[line])
        return self._remark(code, said, citation or self._cite(line), about, sums, seqs, moved)

    def _fact_remark(
        self,
        code: str,
        said: str,
        citation: Citation,
        fact: int,
        sums: tuple[int, int],
        seqs: tuple[int, ...],
        *moved: Moved,
    ) -> Remark:
        facts = self.facts
        about = int(facts.seat[fact]), self.batch.names[facts.bettor[fact]], int(facts.code[fact])
        return self._remark(code, said, citation, about, sums, seqs, moved)

    def _off_remark(self, code: str, said: str, citation: Citation, at: int, cents: int, moved: Moved) -> Remark:
        off = self.let_off
        about = int(off.seat[at]), self.batch.names[off.bettor[at]], int(off.code[at])
        return self._remark(code, said, citation, about, (0, cents), (self._off_seq(at),), (moved,))

    def _remark(
        self,
        code: str,
        said: str,
        citation: Citation,
        about: tuple[int, str, int],
        sums: tuple[int, int],
        seqs: tuple[int, ...],
        moved: Sequence[Moved],
    ) -> Remark:
        seat, bettor, payer = about
        accounts = differences(*moved)
        paying = fee_payer(self.batch, self.row, payer, seat, bettor)
        short = dict(accounts).get(paying, 0) if paying != POT else 0  # the pot is nobody's
        sentence = f"{said}: {who_is_out(short, payer_in_words(payer))}" if short else said
        where = (seat or None, bettor or None, None)
        return Remark(
            self.row, code, sentence, citation, *where, *sums, short, seqs, basis=Basis.REPORTS, accounts=accounts
        )
