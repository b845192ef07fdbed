"""What was found out at this board, beside its games: it holds above what the configuration names.

The folder has the name of the description that the configuration names, so that another board's
findings are never taken for this one's.
"""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.config.schema import Config

BOARD, PIECES = "board.toml", "pieces.json"


def learnt_folder(config: Config) -> Path:
    """Return where findings about the configured board are kept."""
    return config.data / "boards" / Path(config.board.description).stem


def learnt(config: Config) -> Config:
    """Return the configuration with the board file and the piece set that were found out here."""
    folder, changes = learnt_folder(config), {}
    if (board := folder / BOARD).is_file():
        changes["description"] = str(board)
    if (pieces := folder / PIECES).is_file():
        changes["pieces"] = str(pieces)
    if not changes:
        return config
    values = config.model_dump(include={"board"}, exclude_unset=True).get("board", {})
    board_section = type(config.board).model_validate(values | changes)
    return config.model_copy(update={"board": board_section})
