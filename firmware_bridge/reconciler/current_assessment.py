"""What is made of the board at this moment: the look at it, the verdict, and what both rest on."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from firmware_bridge.messages.verdict import ALARMS, Verdict
from firmware_bridge.reconciler.assessment import BUSY, Assessment, busy, hovering
from firmware_bridge.reconciler.bases import MOST, too_many, whole
from firmware_bridge.reconciler.factors import handled, moved_about, one_by_one
from firmware_bridge.reconciler.findings import Judged, PressFirst, PressRefused, Presumed
from firmware_bridge.reconciler.identities import UNTOLD, same_disc
from firmware_bridge.reconciler.observation import amends_yet, lifted_since, look, moved_later
from firmware_bridge.reconciler.redress import crosses, may_tell, shoved
from firmware_bridge.reconciler.reports import looks_right
from firmware_bridge.reconciler.settings import CATCHING_UP
from firmware_bridge.reconciler.stories import but_for_its_victim, judge, judge_whole, stands
from firmware_bridge.reconciler.verdict_policy import (
    Trouble,
    as_conducted,
    conclude,
    patience,
    put_back,
    put_right_yet,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from firmware_bridge.reconciler.bases import Base
    from firmware_bridge.reconciler.board_state import BoardState
    from firmware_bridge.reconciler.factors import Factor
    from firmware_bridge.reconciler.findings import Finding
    from firmware_bridge.reconciler.game_tracker import GameTracker
    from firmware_bridge.reconciler.settings import Phase, Settings
    from firmware_bridge.reconciler.trace import EventTrace
    from firmware_bridge.reconciler.verdict_policy import Disorder
    from rules.interface import Position, Square, Turn


class CurrentAssessment:
    """Looks at the board and draws the verdict; it takes no turn and knows no clock.

    Attributes:
        seen: what the board shows.
        verdict: the verdict in force.
        judged_at: since when, in seconds.
        trouble: what is held against the board.
        phase: how long hands have rested.
        contested: how many seconds a reply must stand that the mover's hands may have made.
    """

    def __init__(self, course: GameTracker, settings: Settings, now: float) -> None:
        self._course = course
        self._settings = settings
        self.trouble = Trouble(gap=course.scene.differs)
        self._right_since: float | None = None
        self._wary_since = now
        self._open: Assessment | None = None
        self._presuming, self.contested = False, 0.0
        self.phase: Phase = "waiting"
        self.seen: Assessment = as_conducted(self._fresh_look(now), settings)
        self.verdict: Verdict = self._conclude()
        self._told = self.verdict, self._shows_what_is_due()
        self.judged_at = now

    @property
    def scene(self) -> BoardState:
        """The scene that the turns of the verdict belong to."""
        return self.seen.scene if self.seen.ahead is None else self._course.scene

    @property
    def position(self) -> Position:
        """The position that the turns of the verdict belong to."""
        return self.seen.scene.position if self.seen.ahead is None else self._course.position

    @property
    def busy(self) -> bool:
        """Whether hands are on the way."""
        return self.seen.showing in BUSY and self.seen.showing != "hovering"

    @property
    def certain(self) -> bool:
        """Whether one whole turn is shown, and nobody has to be asked whether it was made."""
        return self.verdict.kind == "complete" and not self.seen.asked

    @property
    def patience(self) -> float | None:
        """After how many seconds without change something follows, `None` if nothing does."""
        settings = self._settings
        if self.reply_stands:  # the mover may still go on, or a sleeve have done it
            if self.contested or put_right_yet(self.seen, self.trouble) or not settings.clock:
                return self.contested or settings.hovering
            # A piece of the other player, set aside for a moment, ends no turn that may go on.
            return settings.grace if self._course.scene.long_turns else settings.settle
        return patience(self.seen, settings, self.verdict, self.phase, self.trouble)

    @property
    def put_right(self) -> bool:
        """Whether the board is right again after something illegal, and no turn is on it.

        One that hands made before that, by pieces that look alike to the board, stays on it.
        """
        scene, trouble = self._course.scene, self.trouble
        if not trouble.wary or scene.differs:
            return False
        if trouble.restoring or trouble.holds(self._settings) or not scene.handled_alike:
            return not (scene.discs and scene.handled_alike)
        came, since = scene.trail.placed_at, self._wary_since
        return not scene.discs and any(came.get(s, math.inf) > since for s in scene.unsure)

    def look(self) -> None:
        """Look at the board, because something has changed."""
        seen = self._fresh_look(self.judged_at)
        self.seen = as_conducted(seen, self._settings)
        if self.trouble.restoring:
            self.seen = put_back(self.seen, unseen=self.trouble.disorder != "upset")
        self.phase, self.contested = "waiting", 0.0
        trouble, settings, unpressed = self.trouble, self._settings, self._course.bases.unpressed
        self._note_turns()
        untold = self._costs_nobody(seen)  # that it is part of a turn
        if trouble.restoring or trouble.holds(settings) or untold:
            return
        if not trouble.ruled:
            self._follow_replies(seen, unpressed)
        replied = bool(self.seen.turns) and self.seen is not self._open  # to what is asked about
        begun = seen.showing == "odd" or amends_yet(seen)
        if begun and not (self.seen.replied or replied or too_many(self.seen)):
            self._look_for_both()

    def _fresh_look(self, t: float) -> Assessment:
        """Return what the board shows, going by faces where it was upset."""
        seen = look(self._course)
        return look(self._course) if seen.showing == "upset" and self._course.upset(t) else seen

    def read_anew(self, t: float, out: list[Finding]) -> None:
        """Take up another reading of the turns made last, if only that explains the board.

        What was held against the one before, and cost nobody anything, goes with it.
        """
        if found := self._course.read_anew(self.seen, t):
            out += found
            if not self.trouble.ruled:
                self.trouble = self.trouble._replace(blame=None)
            self.look()

    def _goes_on(self, seen: Assessment) -> bool:
        """Return whether what hands do after the turn noted, or slid, is likelier than this one."""
        less, after = seen.likelihood, self._course.bases.unpressed
        return less < 0 and any(a.likelihood > less or shoved(a.scene) for a in set_down(after))

    def _note_turns(self) -> None:
        """Note which turns are whole, or that none is begun: hands go on from there.

        A turn less likely than what hands do after the one noted before does not take its place.
        """
        turns, many, scene = whole(self.seen), too_many(self.seen), self.seen.scene
        amends = turns and self.seen.amending
        beside = () if self.trouble.restoring else self._course.bases.stood_whole(self.seen)
        told = scene.secrecy.legality_tells and not scene.long_turns  # else, the press alone tells
        for was, made in beside:
            here = was is self._course.bases.now
            if not self._settings.clock or (told and not here):
                self._course.bases.stood += [(was, turn) for turn in made]
            elif here and len(made) == 1 and not self._course.asked_on:
                turns = turns or made
        if amends or (turns and self._goes_on(self.seen)):
            return  # hands may go on from there as well
        none = self.seen.showing == "position" or (scene.hangs and len(scene.captures) > 1)
        if turns or many or none:
            self._course.await_press(turns, many=many)
            self._open = self.seen

    def _follow_replies(self, seen: Assessment, unpressed: Sequence[Base]) -> None:
        """See whether hands go on after a whole turn, though nobody has pressed the clock."""
        if (len(unpressed) > 1 or self._course.asked_on) and self.seen.sign is None:
            self._follow_question()
            return
        after = next(iter(set_down(unpressed)), None)
        if after is None or (self.seen.sign is not None and after.showing != "turns"):
            return
        # What the mover himself is about to do goes first, unless the reply is whole.
        odd = seen.showing in ("odd", "upset") or seen.answered
        if after.showing == "turns" or (odd and after.likelihood >= seen.likelihood):
            busy_yet = self._course.scene.long_turns and seen.showing in BUSY
            self._follow(after, doubted=busy_yet)

    def _look_for_both(self) -> None:
        """See whether both players have made their turns at the same time."""
        scene = self._course.scene
        unfelt = self.trouble.gap and scene.discs  # which of both turned a disc over
        if self.trouble.ruled or unfelt:
            return
        seen = list(made_at_once(scene))
        turns = tuple(dict.fromkeys(turn for one in seen for turn in one.turns))
        bases = [base for turn in turns[:MOST] if (base := self._course.apart_from(turn))]
        judged = [(base.turn, stands(base.scene, closely=self.seen.closely)) for base in bases]
        after = [one._replace(ahead=turn) for turn, one in judged if one.showing == "turns"]
        found = {one.ahead: one for one in after if one.ahead and _answers(scene, one.ahead, one)}
        likely = [t for t in found if not scene.discs or _with_a_hand_each(scene, found[t])]
        several = len(turns) - len(found) + len(likely) > (1 if scene.discs else MOST)
        told = not (several or any(one.asked for one in seen))
        turn = presumed(scene, likely) if told else None
        if turn is not None:
            self._course.follow(base for base in bases if base.turn == turn)
            reply = found[turn]
            made = [(scene, turn), *((reply.scene, answer) for answer in reply.turns)]
            self._follow(reply, doubted=self._final or moved_about(scene, made))
        elif found:  # either may have been made: the press asks, and takes none of them
            self.seen = hovering(scene, turns, "other-hand")
            self.phase = "asking" if scene.discs else self.phase
            self._course.follow(bases)
            self._open = self.seen

    def _follow_question(self) -> None:
        """Let the question stay open whatever hands do meanwhile, until a reply is whole."""
        scene = self._course.scene
        untold = self._settings.sealed and not scene.secrecy.legality_tells  # that one may be asked
        if self.seen.showing in ("position", "turns") or self._open is None or untold:
            return
        replied = [a for a in set_down(self._course.bases.unpressed) if a.showing == "turns"]
        fitting = [after.ahead for after in replied if after.ahead is not None]
        if not fitting and scene.long_turns and self.seen.showing in BUSY:
            return  # the mover goes on
        self.seen, self.phase = self._open.of(fitting) if fitting else self._open, "asking"
        if (turn := presumed(scene, fitting)) is not None:
            self.seen = self.seen._replace(ahead=turn, replied=True)

    def _follow(self, after: Assessment, *, doubted: bool) -> None:
        """Judge the board by what it shows after an unpressed turn, if `doubted` no reply yet."""
        turn, trouble, scene = after.ahead, self.trouble, self._course.scene
        warned = trouble.warned and trouble.disorder != "early"
        if after.turns:  # which reply it is, nobody asks before the turn it replies to counts
            doubted |= after.showing == "hovering"
            crossing = not self._final and crosses(scene, after) and scene.habits.crossing
            doubted |= _went_along(scene.trail, after)
            # What is read where it stood as well may not have left.
            doubted |= bool(scene.trail.doubled & after.scene.differing)
            self.contested = self._settings.hovering if doubted else float(crossing)
            after = busy(after.scene, "beginning")._replace(ahead=turn, replied=True)
        elif turn is None or not moved_later(scene, turn, after.scene):
            return
        elif not may_reply(after) and (warned or not self._settings.clock):
            return  # it was said once, if there is a clock: now it is the mover's own attempt
        self.seen = as_conducted(after, self._settings)

    @property
    def reply_waits(self) -> bool:
        """Whether the reply does not count at once, since the turn before it could not be amended.

        Where one move is a turn and there is no clock it can be, until the reply is whole. What is
        put right may look like both for a moment.
        """
        waits = self._final or self.contested or put_right_yet(self.seen, self.trouble)
        return bool(waits or len(self.seen.turns) > 1)

    @property
    def _final(self) -> bool:
        """Whether a turn that stands whole is not amended any more."""
        return self._settings.clock or self._course.scene.long_turns

    @property
    def reply_stands(self) -> bool:
        """Whether the reply counts once hands have rested; else, once somebody presses."""
        settings = self._settings
        whole = self.seen.replied and not settings.sealed
        return whole and (len(self.seen.turns) < 2 or not settings.clock)

    def confirmed(self, *, rested: bool, lifting: bool = False) -> Turn | None:
        """Return the turn that the mover's press takes, whatever the opponent does after it.

        If hands have `rested`, he may be who has taken up what it moved, and is `lifting` another.
        """
        seen, trouble, unpressed = self.seen, self.trouble, self._course.bases.unpressed
        if seen.ahead is not None:
            return seen.ahead
        likely = seen.turns and seen.likelihood >= seen.scene.habits.weights["opponent-ahead"]
        if likely or trouble.blame or trouble.disorder:
            return None
        told = seen.showing == "turns" and not (seen.asked or seen.turns[1:] or unpressed[1:])
        if told and self._goes_on(seen):
            return unpressed[0].turn
        if self._costs_nobody(seen):
            return None
        scene, taken = self._course.scene, rested and not self._settings.sealed
        return lifted_since(scene, unpressed, taken=taken, lifting=lifting)

    def _costs_nobody(self, seen: Assessment) -> bool:
        """Return whether what is there besides a turn would excuse it, if it were none."""
        known = seen.showing in ("turns", "position") or not self._settings.sealed
        return not known and not may_tell(seen.scene, self._settings)

    def look_closely(self, t: float, out: list[Finding]) -> None:
        """See whether pieces in the air may stand unfelt; one that is in a hand yet has time."""
        self.seen = as_conducted(look(self._course, closely=True), self._settings)
        if self.seen.showing == "beginning":
            self._look_for_both()
        self.phase = "waiting" if self.busy else self.phase
        self.read_anew(t, out)

    def sealed_on(self, differing: Collection[Square]) -> bool:
        """Return whether a sealed press is on what may be a turn: something astray, or a capture.

        Args:
            differing: the squares that differed when it was pressed.
        """
        scene = self.seen.scene
        moved = scene.extra | scene.wrong or {home for _, home in scene.captures}
        return self._settings.sealed and not moved.isdisjoint(differing)

    def look_closely_if_busy(self) -> None:
        """Do so at a press, where hands are on the way and nothing is to be put right."""
        held = self.trouble.blame or self.trouble.disorder
        if self.busy and not held:
            pressed = replace(self._settings, clock=True)  # whether a press is needed or not
            seen = as_conducted(look(self._course, closely=True), pressed)
            if seen.scene.mover == self.seen.scene.mover:  # else it is not his turn that is shown
                self.seen = seen

    def ask(self, turns: Sequence[Turn], why: Factor) -> bool:
        """Ask which of these was made, though the board does not show it, if there are any."""
        if turns:
            told = hovering(self.seen.scene, turns, why).stories
            odd_no_more = self.seen._replace(cells=(), answered=False, reason=None, tried=None)
            self.seen = odd_no_more._replace(showing="hovering", stories=told)
            self.phase = "asking"
        return bool(turns)

    def ask_to_set_down(self, t: float, out: list[Finding], *, pressed: bool) -> None:
        """Have what hangs in the air set down once more; from now on, nothing else has moved.

        Whoever has `pressed` hears it; hands that adjust pieces all the while may not.
        """
        out.append(PressRefused(t, self.verdict, hangs=True))
        self.trouble = self.trouble._replace(disorder=None)
        scene = self.seen.scene
        self._course.await_set_down(scene, () if pressed else (to for to, _ in scene.captures))

    def judge(self, t: float, out: list[Finding], *, between: bool = False) -> None:
        """Draw the conclusion and tell it if it is a new one, and not over already: `between`."""
        verdict = self._conclude()
        if verdict != self.verdict:
            self.judged_at = t
        self.verdict = verdict
        if between:
            return
        if self.trouble.disorder == "early":
            self.warn(t, out)
        presumes = self.seen.replied and len(self.seen.turns) > 1
        if presumes and not (self._presuming or self._settings.sealed):
            out.append(Presumed(t))
        self._presuming = presumes
        odd = verdict.kind in ALARMS
        wary = odd or (self.trouble.wary and verdict.kind != "settled")
        if not self.trouble.wary:
            self._wary_since = t
        self.trouble = self.trouble._replace(wary=wary)
        if self.seen.showing != "position":
            self._right_since = None
        elif self._right_since is None:
            self._right_since = t
        told, self._told = self._told, (verdict, self._shows_what_is_due())
        if told != self._told:
            out.append(Judged(t, verdict, self.position))

    def _shows_what_is_due(self) -> bool:
        """Return whether the board looks right, where that is all that is told of it: sealed."""
        return self._settings.sealed and looks_right(self._course.scene)

    def _conclude(self) -> Verdict:
        course, trouble, settings = self._course, self.trouble, self._settings
        self.trouble, verdict = conclude(
            self.seen, course.boards(), trouble, self.phase, settings, course.standing
        )
        if self.trouble.disorder == "upset":
            course.forget_times()  # whoever sets a board up again confirms nothing by it
        return verdict

    def open_gap(self, disorder: Disorder | None = None) -> None:
        """Blame nobody for what is found on the board, nor for anything on the way back from it.

        Args:
            disorder: why it is certain already that something must be put right, if it is.
        """
        disorder = disorder or self.trouble.disorder
        self.trouble = self.trouble._replace(blame=None, gap=True, disorder=disorder)
        self._right_since = None

    def warn(self, t: float, out: list[Finding]) -> None:
        """Say, once a turn, that the clock is pressed first, where there is one."""
        if self._settings.clock and not self.trouble.warned:
            self.trouble = self.trouble._replace(warned=True)
            out.append(PressFirst(t))

    def touched(self) -> None:
        """A hand has changed something: what it left otherwise is its own, and may be a turn."""
        if self.trouble.disorder != "agreed":
            return
        scene = self._course.scene
        if scene.differing & (scene.trail.lifted_at.keys() | scene.trail.placed_at.keys()):
            self.trouble = self.trouble._replace(disorder=None)

    def pass_time(self, t: float) -> None:
        """See whether the board has been right since the last gap, for as long as news may lag."""
        if self._right_since is not None and t - self._right_since > CATCHING_UP:
            self.trouble = self.trouble._replace(gap=False)


def made_at_once(scene: BoardState) -> Iterator[Assessment]:
    """Yield what is whole if the opponent did all that it does not explain."""
    placement, mover = scene.placement, scene.mover
    his = {square for square in scene.missing if placement[square][0] != mover}
    down = {square: scene.shown[square] for square in sorted(scene.extra | scene.wrong)}
    told = {
        s for s, label in down.items() if label and not same_disc(label, placement.get(s, UNTOLD))
    }
    sure = [square for square in told if down[square][0] != mover]
    doubted = [square for square in down if square not in told]
    most = len(doubted) if scene.discs else min(len(doubted), len(his))
    for count in range(most + 1) if (his or sure or scene.discs) and len(doubted) <= MOST else ():
        for carried in combinations(doubted, count):
            back = {s: UNTOLD if s in placement else None for s in (*sure, *carried)}
            with scene.showing({**dict.fromkeys(his, UNTOLD), **back}):
                # Which of two cells a piece stands on is no matter.
                seen = judge_whole(scene, scene.seen()) if scene.differs else stands(scene)
            stories = seen.stories if seen and seen.showing == "turns" else ()
            kept = tuple(s for s in stories if s.turn is None or _borne_out(scene, s.turn))
            if seen and kept:
                yield seen._replace(stories=kept)


def _answers(scene: BoardState, turn: Turn, after: Assessment) -> bool:
    """Return whether a reply to a turn came down when hands had begun that."""
    lifted, came = scene.trail.lifted_at, after.scene.trail.placed_at
    begun = min((lifted.get(home, 0.0) for home, _ in scene.deed(turn).moves), default=0.0)
    ends = (to for reply in after.turns for _, to in after.scene.deed(reply).moves)
    return all(came.get(to, begun) >= begun for to in ends)


def _with_a_hand_each(scene: BoardState, after: Assessment) -> bool:
    """Return whether each player may have made his turn with one hand."""
    own = after.ahead is not None and one_by_one(scene, after.ahead)
    return own and any(one_by_one(after.scene, reply) for reply in after.turns)


def _borne_out(scene: BoardState, turn: Turn) -> bool:
    """Return whether its pieces went where it says: by the tags read there, or by hands' ways."""
    moves = scene.deed(turn).moves
    if scene.ways_name_kinds and not scene.whereabouts.bear_out(moves):
        return False
    origin, read = scene.whereabouts.origin, scene.identities.on.keys() - scene.untagged
    return all(origin.get(to, to) == home for home, to in moves if to in read)


def _went_along(trail: EventTrace, reply: Assessment) -> bool:
    """Return whether a reply may be what the hand that moved before it took along."""
    deeds = [reply.scene.deed(turn) for turn in reply.turns]
    own = {square for deed in deeds for square in handled(deed)}
    return any(trail.went_along(own, *move) for deed in deeds for move in deed.moves)


def presumed(base: BoardState, turns: Collection[Turn]) -> Turn | None:
    """Return which of these turns is taken to be meant, if nobody says so: the plain one, a queen.

    `None` if they do not differ in what is plain, nor in what a pawn became.
    """
    if len(turns) < 2:
        return next(iter(turns), None)
    likely = [turn for turn in turns if turn.plain]
    if not likely and len({base.deed(turn).moves for turn in turns}) == 1:
        becomes = ((turn, base.deed(turn).becomes) for turn in turns)
        likely = [turn for turn, what in becomes if any(to[1:] == "Q" for _, to in what)]
    return likely[0] if len(likely) == 1 else None


def may_reply(seen: Assessment) -> bool:
    """Return whether the opponent may be about to reply, or does besides."""
    return seen.likelihood > seen.scene.habits.weights["against-the-rules"]


def set_down(unpressed: Iterable[Base]) -> list[Assessment]:
    """Return what hands have set down after each of these turns, nothing if they have not.

    Beside what is missing, a piece that came back to its square counts, or is to be set down again.
    A reply is whole though its victim stands beside it.
    """
    found = []
    for scene, turn in ((base.scene, base.turn) for base in unpressed):
        back = scene.missing and (scene.unsure or scene.trail.asked)
        if (scene.extra or scene.wrong or scene.exposed or back) and not scene.rulebook.over:
            aside = but_for_its_victim(scene)
            found.append((aside if aside.turns else judge(scene))._replace(ahead=turn))
    return found
