"""By day any two values of a test's parameters meet, at night all of them."""

from itertools import combinations, product
from types import SimpleNamespace

from tests.conftest import meeting
from tests.nightly import NIGHTLY


def items_of(**values):
    """What pytest makes of a test that takes each of these values with each other one."""
    return [
        SimpleNamespace(
            parent="file",
            originalname=f"test of {len(values)}",
            callspec=SimpleNamespace(params=dict(zip(values, chosen, strict=True))),
        )
        for chosen in product(*values.values())
    ]


def test_any_two_values_meet():
    everything = {"game": ["a", "b", "c", "d"], "tier": ["e", "f", "g"], "clock": [True, False]}
    items = items_of(**everything)
    kept, left = meeting(items)
    assert sorted([*map(id, kept), *map(id, left)]) == sorted(map(id, items))
    assert len(kept) == (24 if NIGHTLY else 12)
    for one, other in combinations(everything, 2):
        met = {(item.callspec.params[one], item.callspec.params[other]) for item in kept}
        assert met == set(product(everything[one], everything[other]))


def test_two_parameters_and_those_of_other_tests_are_left_as_they_are():
    plain = [SimpleNamespace(parent="file", originalname="plain")]
    items = [*items_of(game=["a", "b"], tier=["e", "f"]), *plain]
    assert meeting(items) == (items, [])
