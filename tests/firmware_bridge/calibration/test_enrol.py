import pytest
from click.testing import CliRunner

import rules
from drivers.description import load_description
from drivers.piece_set import PieceSet
from firmware_bridge.calibration.enrolment import Enrolment, enrolment_for
from firmware_bridge.cli import main
from firmware_bridge.simulation.piece_sets import pieces_of

DISCS = pieces_of(rules.load("reality-check"), spares=False)[:2]
PLACES = {piece.name: cell for piece, cell in zip(DISCS, ("b3", "c3"), strict=True)}
A, B, C, D = "AA000001", "AA000002", "AA000003", "AA000004"


def enrolment(known=None):
    return Enrolment(DISCS, PLACES, known or PieceSet())


def test_each_face_of_each_piece_is_asked_for_in_turn():
    e = enrolment()
    first, second = DISCS[0].name.partition("-")[0], DISCS[1].name.partition("-")[0]
    asked = []
    for tag in (A, B, C, D):
        asked.append(e.asks)
        assert dict(e.lights.cells) == {e.task.cell: "setup"}
        assert e.take(e.task.cell, tag) == f"Read: {tag}."
    assert asked[0].startswith(f"Put a white disc {first[1:]}, ")
    assert asked[1].startswith(f"Turn it over on b3: white disc {first[1:]}, ")
    assert asked[2].startswith(f"Put a white disc {second[1:]}, ")
    assert e.task is None
    assert dict(e.lights.cells) == {}
    learnt = e.result()
    assert [piece.name for piece in learnt.pieces] == [piece.name for piece in DISCS]
    assert learnt.labels == {
        tag: face.label
        for tag, face in zip(
            (A, B, C, D), (face for piece in DISCS for face in piece.faces), strict=True
        )
    }


@pytest.mark.parametrize(
    ("cell", "reading", "words"),
    [
        ("b3", None, ""),
        ("b3", True, "no tag is read"),
        ("b4", B, "felt on b4; it belongs on b3"),
        ("b3", A, "enrolled already"),
        ("b3", "piece:wP", "needs no piece set"),
    ],
)
def test_what_does_not_count_is_told_and_changes_nothing(cell, reading, words):
    e = enrolment()
    e.take("b3", A)
    before = e.task
    assert words in e.take(cell, reading)
    assert e.task == before


def test_undo_forgets_the_last_piece_with_both_its_faces():
    e = enrolment()
    for tag in (A, B, C):
        e.take(e.task.cell, tag)
    e.undo()
    assert e.remaining == 2
    e.undo()
    assert e.remaining == 4
    e.undo()
    assert e.remaining == 4
    assert e.take("b3", A) == f"Read: {A}."


def test_a_piece_counts_when_all_its_faces_are_read_and_is_not_asked_for_again():
    e = enrolment()
    for tag in (A, B, C):
        e.take(e.task.cell, tag)
    known = e.result()
    assert [piece.name for piece in known.pieces] == [DISCS[0].name]
    later = enrolment(known)
    assert later.task.piece.name == DISCS[1].name
    assert "enrolled already" in later.take("c3", A)
    later.take("c3", C)
    later.take("c3", D)
    assert len(later.result().pieces) == 2


def test_of_chessmen_whatever_is_wanted_is_asked_for():
    game, board = rules.load("chess"), load_description("full")
    plain, two_faced, spares = (
        enrolment_for(game, board, PieceSet(), **more).remaining
        for more in ({}, {"two_faced": True}, {"spares": True})
    )
    assert (plain, two_faced) == (32, 62)  # no king changes sides
    assert spares > 32


def test_a_board_that_reads_no_tags_is_named(tmp_path):
    board = ("--set=board.description=starter", "--set=board.settings.port=/dev/ttyNONE")
    done = CliRunner().invoke(main, ["setup", "--only", "pieces", "--to", str(tmp_path), *board])
    assert done.exit_code == 4
    assert "no tag readers" in done.stderr
