"""Two people at one board: what each one's hands did decides, not who was first nor how long."""


def test_a_disc_dropped_while_the_turn_before_it_is_made_is_a_reply(board):
    text = "br/nnbn1/1pnpb2/BR6/7/3NN3/PP2PBNP/NB2/NR w BB,RR/bb,rr d8 - - 12"
    options = {"retreat": True, "memory": True}
    b = board("reality-check", text, "face", clock=True, options=options)
    b.header["tags"]["RR"] = "bRR:R"
    b.off("d4").off("c2", 0.2).put("f7", "RR", 0.2).put("d4", "c2", 0.3).press("white")
    found = b.press("black").end().replay()
    assert found.taken == ["c2xd4", "R?@f7"]
    assert not found.of("ruling")
