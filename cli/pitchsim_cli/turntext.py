"""A weighed turn of the auction as people read it: what every call leads to, and what to say."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitchsim.bidding.turnanswer import CallWeighed, TurnAnswer
from pitchsim.bidding.turnstudy import FEWEST, PLACES, TurnStudy
from pitchsim.cards import format_hand, is_joker
from pitchsim.errors import listed
from pitchsim.intervals import Estimate
from pitchsim.presets import changes_in_words
from pitchsim.rules import PASS, SMUDGE
from pitchsim.study import Option
from pitchsim.wording import manner
from pitchsim_cli.evaluationtext import (
    Percent,
    instruction,
    option_name,
    plus_minus,
    signed,
)
from pitchsim_cli.layout import Heading, Paragraph, Part, Sheet

NOTHING = "-"


@dataclass(frozen=True)
class TurnText:
    """A weighed turn in words and a table.

    Attributes
    ----------
    answer
        What was found.
    command
        The command that gives the same numbers again.
    """

    answer: TurnAnswer
    command: str

    @property
    def study(self) -> TurnStudy:
        """What was asked."""
        return self.answer.study

    def parts(self) -> Iterator[Part]:
        """Write it part by part."""
        yield Heading(self._heading())
        yield self._calls()
        yield Paragraph(" ".join(self._advice()), strong=True)
        yield Paragraph(" ".join(self._assumptions()))
        yield Paragraph(self.command, verbatim=True)

    def _heading(self) -> str:
        study = self.study
        table = [f"{study.rules.name} rules", *changes_in_words(study.rules), manner(study.seating)]
        known = study.known.texts(study.seating)
        table += [f"known: {', '.join(known)}"] if known else []
        return f"{format_hand(study.hand)}: {', '.join(table)}; {self._turn()}"

    def _turn(self) -> str:
        """Say whose turn it is, after what."""
        place, said = self.study.place, self.study.said
        is_dealer = place == self.study.seating.players - 1
        who = "you deal and speak last" if is_dealer else f"you speak {PLACES[place]}"
        return f"{who}, after {listed(said, 'and')}" if said else who

    def _calls(self) -> Sheet:
        """Show what each call leads to."""
        answer = self.answer
        rows = [self._row(weighed) for weighed in answer.calls]
        headings = ["<  Call", "Margin", "Behind", "Left in", "Made", "If in", "If not", "<Lead"]
        best = answer.calls.index(answer.best)
        return Sheet("", headings, rows, strong_row=best)

    def _row(self, weighed: CallWeighed) -> list[str]:
        answer = self.answer
        percent = Percent(0)
        behind = answer.behind(weighed)
        is_best = weighed is answer.best
        close = "=" if answer.too_close(weighed) else ""
        made, then, option = weighed.make, weighed.if_left_in, weighed.option
        if not is_told(weighed):
            made = then = None
        return [
            f"{'>' if is_best else close or ' '} {weighed.call}",
            f"{signed(weighed.margin.mean)} {plus_minus(weighed.margin.half_width)}",
            "" if is_best else f"{behind.mean:.2f} {plus_minus(behind.half_width)}",
            percent.of(weighed.shares["left_in"]) if weighed.call != PASS else NOTHING,
            NOTHING if made is None else percent.of(made[0]),
            NOTHING if then is None else signed(then.mean),
            NOTHING if weighed.if_not is None else signed(weighed.if_not.mean),
            NOTHING if option is None else self._lead(option),
        ]

    def _lead(self, option: Option) -> str:
        """Name a lead, and the trump suit where that does not say it."""
        says_trump = self.study.rules.trump_choice == "pitched" and option.lead is not None
        if option.lead is not None and says_trump and not is_joker(option.lead):
            return option.lead
        return option_name(self.study.rules, option)

    def _advice(self) -> Iterator[str]:
        """Say what to say."""
        best = self.answer.best
        if len(self.answer.calls) == 1:
            yield f"You can only {self._named(best.call)}."
            return
        yield f"{self._named(best.call).capitalize()}: {self._reasons(best)}."
        close = [self._named(w.call) for w in self.answer.calls if self.answer.too_close(w)]
        if close:
            options = listed([f"to {name}" for name in close])
            yield f"Whether {options} is as good is too close to call."
        passing = self.answer.calls[0]
        if passing.call != PASS:
            yield "You may not pass: all the others did, and the dealer must bid."
        elif best is not passing and not self.answer.too_close(passing):
            behind = self.answer.behind(passing)
            yield f"Passing is {behind.mean:.2f} {plus_minus(behind.half_width)} points worse."

    def _reasons(self, best: CallWeighed) -> str:
        """Say what the best call comes to."""
        worth = self._worth(best.margin)
        if best.option is None or best.make is None:
            return worth
        lead = instruction(self.study.rules, best.option).removeprefix(",").removeprefix(" and")
        left_in = Percent(0).of(best.shares["left_in"])
        alone = best.shares["left_in"] == 1
        often = "nobody bids over it" if alone else f"you are left in {left_in} of the time"
        if not is_told(best):
            return f"{worth}; {often}, and then{lead}"
        made = Percent(0).of(best.make[0])
        return f"{worth}; {often}. Then{lead}: the bid is made {made} of the time"

    def _worth(self, gain: Estimate) -> str:
        if gain.too_close:
            points = f"{signed(gain.mean)} {plus_minus(gain.half_width)} points"
            return f"that comes to {points}, too close to zero to call"
        verb = "gains" if gain.mean > 0 else "loses"
        others = "the other side" if self.study.seating.sides == 2 else "the others"
        return f"that {verb} {abs(gain.mean):.2f} {plus_minus(gain.half_width)} points on {others}"

    @staticmethod
    def _named(call: str) -> str:
        return PASS if call == PASS else "bid a smudge" if call == SMUDGE else f"bid {call}"

    def _assumptions(self) -> Iterator[str]:
        """Say what it all rests on."""
        study, answer = self.study, self.answer
        if study.said:
            share = Percent(2).of(answer.share)
            yield (
                f"The players before you say this in {share} of the deals, if they bid as "
                f"{study.strategy.name}: {answer.deals:,} of {answer.looked_at:,} deals were kept, "
                "and count alike."
            )
            if answer.deals < study.deals:
                yield f"{study.deals:,} were wanted: the auction is a rare one."
        else:
            yield f"{answer.deals:,} deals."
        behind = study.seating.players - 1 - study.place
        if behind:
            yield f"Those behind you bid as {study.strategy.name} too."
        if any(weighed.left_in.any() and not is_told(weighed) for weighed in answer.calls):
            yield f"Of a call that is left in in fewer than {FEWEST} deals no more is said."
        yield f"Everybody plays by the {study.player.play} policy.{self._chosen()}"
        yield (
            "Margin is what your side's score moves by less the others'; every call is tried on "
            "the same deals. If in: the margin where your call wins the auction; if not: where "
            "somebody else's does."
        )
        if any(answer.too_close(weighed) for weighed in answer.calls):
            yield "=: too close to the best to call."
        yield f"Seed {study.seed}. The same numbers again:"

    def _chosen(self) -> str:
        """Say by what trump and lead are chosen, where that is another play."""
        player = self.study.player
        if player.quick == player:
            return ""
        return f" Trump and lead are those that {player.quick.play} players do best with."


def is_told(weighed: CallWeighed) -> bool:
    """Say whether a call is left in in deals enough to say what then happens."""
    return bool(weighed.left_in.sum() >= FEWEST)
