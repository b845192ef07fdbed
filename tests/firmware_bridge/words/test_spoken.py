import pytest

from firmware_bridge.words import MissingWords, catalogue, spoken


@pytest.mark.parametrize(
    ("written", "english", "german"),
    [
        ("c4 Nc3 (C-cd34)", "c4, knight c3", "c4, Springer c3"),
        ("BxN Pxb5 0-0-0", "bishop takes knight, pawn takes b5, castles long",
         "Läufer schlägt Springer, Bauer schlägt b5, lange Rochade"),
        ("h5h6 Bg5-h5+", "h5 to h6, bishop g5 to h5", "h5 nach h6, Läufer g5 nach h5"),
        ("dxe8=Q#", "d takes e8 queen", "d schlägt e8 Dame"),
        ("0-0 (S-ef12)", "castles short", "kurze Rochade"),
        ("Bxh1~a8", "bishop takes h1 up to a8", "Läufer schlägt h1 bis a8"),
    ],
)  # fmt: skip
def test_a_turn_is_spoken_in_words(written, english, german):
    words = {"kind": "C", "turn": written}
    assert spoken(catalogue("en", "realm"), "realm-turn", words) == f"Concentration: {english}."
    assert spoken(catalogue("de", "realm"), "realm-turn", words) == f"Sammeln: {german}."


def test_two_dice_are_not_spoken_as_a_fraction():
    words = catalogue("de", "reality-check")
    assert spoken(words, "rolled", {"dice": "2,1"}) == "Gewürfelt: 2, 1."


def test_everything_else_is_spoken_as_it_is_written():
    words = catalogue("en", "mockery")
    told = {"piece": "piece-N", "square": "f6"}
    assert spoken(words, "vanished", told) == words.text("vanished", told)
    with pytest.raises(MissingWords, match="no words for"):
        spoken(words, "sing")


@pytest.mark.parametrize(
    ("deed", "english", "german"),
    [
        ("Nb1xd2", "Knight from b1 takes d2.", "Springer von b1 schlägt d2."),
        ("e7-e5", "The piece from e7 to e5.", "Die Figur von e7 nach e5."),
        ("0-0-0", "Castles long.", "Lange Rochade."),
        ("Rd1-d4 /e3", "Rook from d1 to d4, e3 is turned over.",
         "Turm von d1 nach d4, e3 wird umgedreht."),
        ("N@c2", "Knight from the hand to c2.", "Springer aus der Hand nach c2."),
        ("C@cd34#3", "Concentration: three pieces into the realm c3 to d4.",
         "Sammeln: drei Figuren ins Reich c3 bis d4."),
        ("R@ab12#1", "Rearrangement: one piece within the realm a1 to b2.",
         "Umstellen: eine Figur im Reich a1 bis b2."),
    ],
)  # fmt: skip
def test_what_hands_do_is_said_as_a_person_would(deed, english, german):
    for language, sentence in (("en", english), ("de", german)):
        told = {"side": "side-black", "turn": "?", "deed": deed}
        assert spoken(catalogue(language, "realm"), "plays", told) == sentence
        assert spoken(catalogue(language, "realm"), "plays-unseen", told) == sentence
