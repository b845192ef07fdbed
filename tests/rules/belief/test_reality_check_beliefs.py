"""Reality Check: what a player can know, against a slow twin that plays every arrangement."""

from random import Random

import pytest
from kept_answers import the_twin_agrees
from reality_check_beliefs import Twin, knowing_the_same
from reality_check_walks import OPTION_SETS, option_name, start

import rules
from tests.nightly import NIGHTLY, each

GAMES = 500 if NIGHTLY else 1
PLIES = 40
# The advanced board is flexible, said or not: 36 sets of options.
OPTIONS = [o for o in OPTION_SETS if o["flexible"] or o["board"] == "basic"]


def rarely(random, position):
    """A turn drawn at random, rare kinds often."""
    turns = list(position.turns())
    rare = [turn for turn in turns if not str(turn)[0].islower() or "x" in str(turn)]
    return random.choice(rare if rare and random.random() < 0.5 else turns)


class Asked:
    """The slow twin, which plays what it was shown once it has to be asked."""

    def __init__(self, *start):
        self._start, self._shown, self._twin, self._played = start, [], None, 0

    def see(self, *shown):
        self._shown.append(shown)

    def agrees(self, texts):
        return the_twin_agrees(texts, "beliefs", *self._start, self._shown, ask=self._texts)

    def _texts(self):
        self._twin = self._twin or Twin(*self._start)
        for shown in self._shown[self._played :]:
            self._twin.see(*shown)
        self._played = len(self._shown)
        return self._twin.texts()


def chances(texts, game):
    """Square -> label -> in how many of the positions it stands there."""
    counts = {}
    for text in texts:
        for square, label in game.parse(text).placement.items():
            there = counts.setdefault(square, {})
            there[label] = there.get(label, 0) + 1
    return counts


@pytest.mark.timeout(36000 if NIGHTLY else 300)
@pytest.mark.parametrize("options", each(OPTIONS, 14), ids=option_name)
def test_what_may_be_is_what_the_twin_finds(options):
    game = rules.load("reality-check", **options)
    for seed in range(GAMES):
        random = Random(f"{seed} {options}")
        side = random.choice(("white", "black"))
        position = start(game, random)
        belief = game.believe(side, position.knowledge(side))
        twin = Asked(options, str(position), side)
        for _ in range(PLIES):
            texts = [str(world) for world in belief.worlds()]
            assert twin.agrees(texts)
            assert belief.count == len(texts)
            assert position in belief.worlds()
            if position.outcome:
                break
            turn = rarely(random, position)
            twin.see(str(position), str(turn))
            belief = belief.after(position.seen(turn, side))
            position = position.play(turn)
        texts = [str(world) for world in belief.worlds()]
        assert twin.agrees(texts)
        counts = chances(texts, game)
        assert belief.chances() == {
            square: {label: n / len(texts) for label, n in there.items()}
            for square, there in counts.items()
        }


def test_how_many_arrangements_there_may_be_at_the_start():
    game = rules.load("reality-check")
    assert game.believe("black", game.start().knowledge("black")).count == 672
    for seed in range(3):
        game = rules.load("reality-check", flexible=True)
        known = start(game, Random(seed)).knowledge("white")
        assert game.believe("white", known).count <= 1392


@pytest.mark.parametrize("options", each(OPTIONS, 14), ids=option_name)
def test_a_belief_begun_in_the_middle_is_all_that_may_stand_there_now(options):
    game = rules.load("reality-check", **options)
    for seed in range(20 if NIGHTLY else 1):
        random = Random(f"{seed} {options}")
        position = start(game, random)
        for _ in range(400):
            few = len(position.placement) < 6
            if position.outcome or few:
                break
            position = position.play(rarely(random, position))
        for side in ("white", "black"):
            belief = game.believe(side, position.knowledge(side))
            assert position in belief.worlds()
            assert all(w.knowledge(side) == position.knowledge(side) for w in belief.worlds())
            if few:
                assert the_twin_agrees(
                    [str(world) for world in belief.worlds()],
                    *("knowing the same", options, str(position), side),
                    ask=lambda: sorted(knowing_the_same(options, str(position), side)),  # noqa: B023
                )
