"""What twins have answered is kept for the twins as they are, and agrees with nothing else."""

import pytest
from kept_answers import FILE, KEPT, TWINS, digest, the_twin_agrees


def test_the_answers_are_those_of_these_twins():
    assert FILE.read_text().startswith(f"{TWINS}\n"), "keep them anew, as kept_answers.py says"


def test_another_answer_than_the_twins_is_told():
    assert digest(["a question that is asked of no twin"], "an answer") not in KEPT
    with pytest.raises(AssertionError):
        the_twin_agrees("an answer", "a question that is asked of no twin", ask=lambda: "another")
