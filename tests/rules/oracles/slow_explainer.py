"""From what a board shows to the legal turns, by going through every turn there is."""

from itertools import combinations

from anywhere import some_turns

from rules.explain import Seen


def before_becoming(position, deed):
    """Return what a piece that merely becomes another may still show, by square."""
    sources = {target: source for source, target in deed.moves}
    return {square: position.placement[sources.get(square, square)] for square, _ in deed.becomes}


def explains(result, old, seen, squares):
    return all(
        square in result
        and seen.known.get(square, result[square]) in (result[square], old.get(square))
        for square in squares
    )


class SlowExplainer:
    """Explains as `Explainer` does, whatever that costs."""

    def __init__(self, position):
        self.before = dict(position.placement)
        self.deeds = {turn: position.deed(turn) for turn in position.turns()}
        self.ways = {
            turn: (dict(position.play(turn).placement), before_becoming(position, deed))
            for turn, deed in self.deeds.items()
        }

    def fitting(self, seen):
        return {
            turn
            for turn, (result, old) in self.ways.items()
            if result.keys() == seen.occupied and explains(result, old, seen, seen.occupied)
        }

    def lacking(self, seen):
        """The turns that fit when the fewest of the missing pieces are put back, and stay there."""
        missing = sorted(self.before.keys() - seen.occupied)
        for count in range(1, len(missing) + 1):
            found = set()
            for back in combinations(missing, count):
                known = {**seen.known, **{square: self.before[square] for square in back}}
                fits = self.fitting(Seen(seen.occupied.union(back), known))
                found |= {(turn, frozenset(back)) for turn in fits if not self.fills(turn, back)}
            if found:
                return found
        return set()

    def fills(self, turn, squares):
        return any(target in squares for _, target in self.deeds[turn].moves)

    def arrived(self, seen):
        other = {s for s, label in seen.known.items() if label != self.before.get(s)}
        return (seen.occupied - self.before.keys()) | other

    def leading_to(self, seen):
        """The turns that explain what has arrived, whichever like piece it was."""
        arrived = self.arrived(seen)
        return {turn for turn, (way, old) in self.ways.items() if explains(way, old, seen, arrived)}

    def surely_leading_to(self, seen):
        """Those of them that no piece known to stand still contradicts."""
        arrived = self.arrived(seen)
        still = {s for s, label in seen.known.items() if label == self.before.get(s)}
        return {
            turn
            for turn in self.leading_to(seen)
            if not any(a in still and b in arrived for a, b in self.deeds[turn].moves)
        }

    def handles(self, turn, seen):
        """Whether the turn moves, takes, changes or touches all that is in the air."""
        deed = self.deeds[turn]
        return self.before.keys() - seen.occupied <= {*deed.changes(self.before), deed.touch}


def board_on_the_way(position, source):
    """A board as hands may have left it: a turn done, or part of it, or nonsense."""
    after = dict(position.placement)
    if turns := some_turns(position, source):
        deed = position.deed(source.choice(turns))
        old, share = before_becoming(position, deed), source.choice((1.0, 1.0, 0.7, 0.4))
        for square, label in deed.changes(position.placement).items():
            if source.random() < share:
                left = old[square] if square in old and source.random() < 0.4 else label
                after.pop(square, None)
                if left is not None:
                    after[square] = left
    for _ in range(source.choice((0, 0, 0, 1, 2))):
        label = after.pop(source.choice(sorted(after)))
        if source.random() < 0.6:
            after[source.choice(sorted(position.game.squares))] = label
    some = {square: label for square, label in after.items() if source.random() < 0.8}
    return Seen(frozenset(after), source.choice([{}, {}, after, after, some]))
