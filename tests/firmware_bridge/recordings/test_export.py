import io
import json

import chess.pgn
import pytest

import rules
from firmware_bridge.recordings import export
from tests.firmware_bridge.table.driving import GAMES, Driven


@pytest.mark.parametrize("game", ["indistinguishable", "reality-check"])
def test_what_players_must_remember_opens_only_after_the_end(game):
    driven = Driven(game)
    driven.random_turns(seed=2, count=4)
    for tell in (export.to_json, export.to_pgn):
        with pytest.raises(export.NotYetOpen, match="over"):
            tell(driven.table)
    driven.say("resign", "white")
    assert export.to_json(driven.table)["outcome"] == {"winner": "black", "reason": "resignation"}
    assert export.to_pgn(driven.table)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_replays_from_its_export(game):
    driven = Driven(game, settings={"time": "5m"})
    played = driven.random_turns(seed=6, count=10)
    driven.say("resign", "white")
    told = json.loads(json.dumps(export.to_json(driven.table)))
    position = rules.load(told["game"], **told["options"]).parse(told["start"])
    for turn, text in zip(told["turns"], played, strict=True):
        assert position.side == turn["side"]
        made = position.play(position.parse_turn(text))
        position = position.play(position.parse_turn(turn["turn"]))
        assert str(position) == turn["position"] == str(made)
    assert told["settings"] == {"time": "5m", "sealed": False, "press": True}


def test_orthodox_turns_read_as_pgn_elsewhere():
    driven = Driven("indistinguishable", settings={"time": "40/90m+30s, 15m+30s"})
    driven.play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1")
    driven.say("offer-draw", "black")
    driven.say("accept-draw", "white")
    game = chess.pgn.read_game(io.StringIO(export.to_pgn(driven.table)))
    assert game.errors == []
    assert game.headers["Event"] == "Indistinguishable Chess"
    assert "Variant" not in game.headers
    assert [move.uci() for move in game.mainline_moves()][-1] == "e1g1"
    assert game.headers["Result"] == "1/2-1/2"
    assert game.headers["TimeControl"] == "40/5400+30:900+30"
    assert game.headers["Termination"] == "normal"


@pytest.mark.parametrize("game", GAMES)
def test_a_pgn_is_what_it_says_it_is(game):
    driven = Driven(game)
    played = driven.random_turns(seed=3, count=12)
    driven.say("resign", driven.position.side)
    text = export.to_pgn(driven.table)
    read = chess.pgn.read_game(io.StringIO(text))
    assert read.headers["Event"] == driven.table.agreement.terms().game.name
    if rules.load(game).traits.orthodox:
        variant = "Chess960" if game == "chess960" else None
        assert (read.errors, read.headers.get("Variant")) == ([], variant)
        assert [move.uci() for move in read.mainline_moves()] == played
    else:
        assert read.headers["Variant"] == read.headers["Event"]
        assert "cannot replay this game" in text
    assert chess.pgn.read_game(io.StringIO(text)).headers["Result"] in {"1-0", "0-1"}


def test_chess_programs_open_a_game_of_chess960_with_its_castlings():
    driven = Driven("chess960", options={"start": 3})  # BQNNRKRB
    driven.play("g2g3", "g7g6", "h1g2", "h8g7", "f1g1", "f8g8", "c1d3", "d8c6")
    driven.say("resign", "white")
    read = chess.pgn.read_game(io.StringIO(export.to_pgn(driven.table)))
    assert (read.errors, read.headers["Variant"], read.headers["SetUp"]) == ([], "Chess960", "1")
    assert read.headers["FEN"].startswith("bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq")
    board = read.end().board()
    assert board.chess960
    assert board.piece_at(chess.F1) == chess.Piece(chess.ROOK, chess.WHITE)
    assert board.piece_at(chess.G8) == chess.Piece(chess.KING, chess.BLACK)


def test_chess_programs_open_a_game_that_began_elsewhere():
    start = "r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R b KQkq - 3 9"
    driven = Driven("indistinguishable", position=start)
    played = driven.random_turns(seed=5, count=5)
    driven.say("resign", "white")
    read = chess.pgn.read_game(io.StringIO(export.to_pgn(driven.table)))
    assert (read.errors, read.headers["FEN"]) == ([], start)
    assert [move.uci() for move in read.mainline_moves()] == played


def test_chess_programs_open_a_game_that_was_corrected_and_played_with_time_odds():
    driven = Driven("indistinguishable", settings={"time": "10 vs 5+3"})
    driven.random_turns(seed=5, count=5)
    corrected = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 20"
    driven.say("set-position", position=corrected, reason="fallen over")
    placement = rules.load("indistinguishable").parse(corrected).placement
    for square in [*driven.readings]:
        driven.cell(square, None)
    for square, label in placement.items():
        driven.cell(square, driven.reading(label))
    driven.say("resume")
    driven.play("e2e4")
    driven.say("resign", "white")
    read = chess.pgn.read_game(io.StringIO(export.to_pgn(driven.table)))
    assert read.errors == []
    assert [move.uci() for move in read.mainline_moves()] == ["e2e4"]
    assert read.headers["FEN"] == corrected
    assert (read.headers["WhiteTimeControl"], read.headers["BlackTimeControl"]) == ("600", "300+3")


def test_a_game_from_another_position_says_so():
    start = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"
    driven = Driven("realm", tier="occupancy", position=start)
    driven.play("e8d8", "a1a7")
    driven.say("resign", "black")
    text = export.to_pgn(driven.table)
    assert f'[FEN "{start}"]' in text
    assert text.rstrip().endswith("1-0")
    assert "1..." in text


def test_long_games_are_wrapped():
    driven = Driven("mockery")
    driven.random_turns(seed=1, count=60)
    driven.say("resign", driven.position.side)
    assert max(map(len, export.to_pgn(driven.table).splitlines())) <= 80
