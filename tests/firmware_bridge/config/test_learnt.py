"""What was found out at a board holds above what its configuration names, and for it alone."""

from drivers.description import load_description
from firmware_bridge.config import Config
from firmware_bridge.config.learnt import learnt, learnt_folder


def configured(folder, description="starter", **board):
    return Config.model_validate(
        {"data": folder, "board": {"description": description, "driver": "serial", **board}}
    )


def test_without_findings_all_is_as_the_file_says(tmp_path):
    config = configured(tmp_path)
    assert learnt(config) is config


def test_findings_hold_for_the_board_that_they_are_about(tmp_path):
    config = configured(tmp_path, settings={"port": "/dev/ttyACM0"})
    folder = learnt_folder(config)
    folder.mkdir(parents=True)
    (folder / "pieces.json").write_text("{}")
    found = learnt(config)
    assert found.board.pieces == folder / "pieces.json"
    assert found.board.description == "starter"
    (folder / "board.toml").write_text("")
    found = learnt(config)
    assert found.board.description == str(folder / "board.toml")
    assert found.board.settings == {"port": "/dev/ttyACM0"}
    other = configured(tmp_path, "full")
    assert learnt(other) is other
    assert load_description(other.board.description).name == "full"
