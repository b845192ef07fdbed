"""Wins by force, proved by the rules alone: every first turn, every answer, every turn after it."""


def forcing(position, turns):
    """Return the turns that win within so many turns of their side, whatever the other plays."""
    return [turn for turn in position.turns() if wins(position, turn, turns)]


def wins(position, turn, turns):
    """Whether a turn wins within so many turns, itself included, whatever the other plays."""
    after = position.play(turn)
    if after.outcome is not None:
        return after.outcome.winner == position.side
    if turns == 1:
        return False
    answers = [after.play(reply) for reply in after.turns()]
    answers.sort(key=lambda answered: len(answered.placement))  # captures refute most
    return all(answered.outcome is None and won(answered, turns - 1) for answered in answers)


def won(position, turns):
    """Whether the side to act wins within so many turns."""
    return any(wins(position, turn, turns) for turn in promising(position, turns))


def promising(position, turns):
    """Return the turns, those first that give check."""
    if turns == 1:
        return position.turns()
    return sorted(position.turns(), key=lambda turn: not position.play(turn).in_check)


def tree(position, turns):
    """Return all that wins: turn -> answer -> turn ..., down to the turn before the last.

    The last turn is known by winning.
    """
    found = {}
    for turn in forcing(position, turns):
        after = position.play(turn)
        found[str(turn)] = {
            str(reply): tree(after.play(reply), turns - 1)
            for reply in (after.turns() if turns > 2 and after.outcome is None else ())
        }
    return found
