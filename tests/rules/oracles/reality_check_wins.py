"""Wins in one and two of Reality Check, found by search over its slow twin."""

from random import Random

from reality_check_oracle import Table, outcome
from reality_check_oracle import _turns as turns_of
from reality_check_walks import start

OTHER = {"w": "b", "b": "w"}


def takes_the_last(table):
    """Whether who is to act captures the opponent's last true piece with a true one of his own."""
    if (
        table.awaited != "-"
        or table.first()
        or len(table.hand[table.side]) > table.limit(table.side)
    ):
        return False
    other = OTHER[table.side]
    if len(table.trues(other)) != 1:
        return False
    true = [s for s in table.at if table.at[s][0] == table.at[s][1]]
    mine = [s for s in true if table.whose(s) == table.side]
    last = [s for s in true if table.whose(s) == other]
    return any(square in table.reach(one, capture=True) for one in mine for square in last)


def wins(options, text):
    """The turns that win at once."""
    side = {"w": "white", "b": "black"}[text.split()[1]]
    return {
        turn
        for turn, after in turns_of(Table(options, text)).items()
        if (outcome(options, after) or ("", ""))[0] == side
    }


def wins_in_two(options, text):
    """The turns after which every answer of the opponent's leaves a capture that wins."""
    found = set()
    for turn, after in turns_of(Table(options, text)).items():
        table = Table(options, after)
        if table.side == text.split()[1] or outcome(options, after):
            continue
        if all(takes_the_last(Table(options, answer)) for answer in _whole(options, table)):
            found.add(turn)
    return found


def _whole(options, table):
    """Where the opponent's turn can leave a table, his decisions included, the likeliest first."""
    side = table.side
    todo = [table]
    while todo:
        now = todo.pop()
        for answer in turns_of(now).values():
            after = Table(options, answer)
            if after.side != side:
                yield answer
            else:
                todo.append(after)


def endings(game, seed):
    """Yield positions of random games in which somebody has one true piece left."""
    random = Random(seed)
    position = start(game, random)
    for _ in range(250):
        turns = list(position.turns())
        if not turns:
            return
        state = position.state
        few = min(state.true_pieces("white"), state.true_pieces("black")) == 1
        if few and not position.awaited and not state.over_limit:
            yield position
        checks = [turn for turn in turns if str(turn)[-1] == "!"]
        position = position.play(random.choice(checks or turns))
