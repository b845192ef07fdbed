import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.description import BoardDescription, DescriptionError, load_description, shipped


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_board_numbers_each_cell_once(name):
    board = load_description(name)
    assert board.name == name
    assert set(board.cells) == set(board.squares) | set(board.reserves)
    assert [board.numbers[cell] for cell in board.cells] == list(range(len(board.cells)))
    lit = [position for position in board.led_positions if position is not None]
    assert len(set(lit)) == len(lit)
    assert not lit or board.leds


@pytest.mark.parametrize("name", ["full", "starter", "kiosk", "simulated"])
def test_every_cell_of_the_projects_own_boards_has_a_light(name):
    board = load_description(name)
    assert sorted(board.led_positions) == list(range(len(board.cells)))


def test_the_full_board_carries_every_square_of_the_five_games():
    board = load_description("full")
    assert len(board.squares) == 72
    assert {"a1", "h9", "d9"} <= set(board.squares)


def test_led_chain_may_run_back_and_forth():
    board = load_description("full")
    positions = {cell: board.led_positions[number] for cell, number in board.numbers.items()}
    assert (positions["a1"], positions["h1"], positions["h2"], positions["a2"]) == (0, 7, 8, 15)


def test_a_turned_board_keeps_its_wires_and_renames_its_cells():
    board = load_description("full")
    turned = board.oriented(180)
    assert turned.cells[board.numbers["a1"]] == "h9"
    assert turned.cells[board.numbers["hw1"]] == "hw1"
    assert turned.fingerprint == board.fingerprint
    assert turned.led_positions == board.led_positions


def test_a_quarter_turn_clockwise_brings_the_a1_corner_to_a8():
    board = load_description("starter").oriented(90)
    assert board.cells[0] == "a8"
    assert board.cells[7] == "a1"  # what was h1


@given(turned=st.sampled_from([0, 90, 180, 270]), mirrored=st.booleans())
def test_every_orientation_is_a_renumbering_that_its_opposite_cancels(turned, mirrored):
    board = load_description("starter")
    opposite = turned if mirrored else -turned % 360
    there, back = (
        dict(zip(board.cells, board.oriented(one, mirrored=mirrored).cells, strict=True))
        for one in (turned, opposite)
    )
    assert all(back[there[cell]] == cell for cell in board.cells)


def test_what_both_ends_must_agree_on_changes_the_fingerprint():
    board = load_description("full")
    data = board.model_dump()
    harmless = BoardDescription.model_validate(data | {"title": "Anna's board"})
    other = BoardDescription.model_validate(data | {"tier": "identity"})
    assert harmless.fingerprint == board.fingerprint
    assert other.fingerprint != board.fingerprint


BROKEN = {
    "name = ": "not valid TOML",
    "\xff\xfe\x00": "not in UTF-8",
    'tier = "face"': "name: this key is missing",
    'name = "x"\ntier = "touch"': "tier",
    'name = "x"\ntier = "face"\ntear = 1': "tear: there is no such key",
    'name = "x"\ntier = "face"\n[grid]\nfiles = 9': "grid.files",
    'name = "x"\ntier = "face"\n[grid]\nabsent = ["j1"]': "grid.absent: no such cells",
    'name = "x"\ntier = "face"\n[orientation]\nturned = 90': "only lie 0 or 180",
    'name = "x"\ntier = "face"\n[orientation]\nturned = 45': "orientation.turned",
    'name = "x"\ntier = "face"\n[wiring]\ncells = ["a1"]': "cells without a sensor number",
    'name = "x"\ntier = "face"\n[[buttons]]\nname = "a"\n[[buttons]]\nname = "a"': "same name",
    'name = "x"\ntier = "face"\n[leds]\ncolours = "rgb"\ndriver = "ws2812"\ncells=["z1"]': "z1",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_board_file_is_answered_with_file_key_and_cause(text, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(DescriptionError) as caught:
        load_description(path)
    assert str(path) in str(caught.value)
    assert BROKEN[text] in str(caught.value)


def test_unknown_names_and_missing_files_say_what_there_is(tmp_path):
    with pytest.raises(DescriptionError) as caught:
        load_description("huge")
    assert f"Known: {', '.join(shipped())}; or give the path" in str(caught.value)
    with pytest.raises(DescriptionError) as caught:
        load_description(tmp_path / "none.toml")
    assert str(caught.value).startswith(f"There is no board file {tmp_path / 'none.toml'}. Known: ")
