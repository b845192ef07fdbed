"""What another package adds is used whole, or named and left out: no game breaks over it later."""

import textwrap
from importlib.metadata import EntryPoint

import pytest

from firmware_bridge import extensions
from firmware_bridge.clock.modes import Mode
from firmware_bridge.referee import penalties
from firmware_bridge.referee.penalties import Penalty
from firmware_bridge.words import language_files

ADDED = """
    from firmware_bridge.referee.penalties import Effect, Penalty

    class Whole(Penalty):
        kind = form = "whole"

        def apply(self, clock, side, t_ms):
            return Effect(clock)

    class Idle(Penalty):
        kind = form = "idle"

    class Unnamed(Penalty):
        def apply(self, clock, side, t_ms):
            return Effect(clock)
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Let one thing of a module be what is installed in a group."""
    (tmp_path / "somebodys_package.py").write_text(textwrap.dedent(ADDED))
    monkeypatch.syspath_prepend(tmp_path)

    def install(name, group=penalties.GROUP):
        point = EntryPoint("one", f"somebodys_package:{name}", group)
        monkeypatch.setattr(extensions, "entry_points", lambda group: [point])

    return install


@pytest.mark.parametrize(
    ("name", "kind", "why"),
    [
        ("Idle", Penalty, "somebodys_package:Idle lacks apply"),
        ("Unnamed", Penalty, "somebodys_package:Unnamed lacks form, kind"),
        ("Whole", Mode, "somebodys_package:Whole is no class of Mode"),
    ],
)
def test_a_class_that_lacks_something_is_named_with_all_that_it_lacks(
    install, caplog, name, kind, why
):
    install(name)
    assert extensions.classes(penalties.GROUP, kind) == ()
    assert f"one of the group {penalties.GROUP} is left out: {why}" in caplog.text


@pytest.mark.parametrize("shipped", [True, False])
def test_a_penalty_without_words_is_left_out_before_a_game_must_say_it(
    install, caplog, monkeypatch, shipped
):
    own, said = penalties.OWN, language_files.own("", "en")
    install("Whole")
    if shipped:  # as by somebody who adds one here, and forgets its words
        monkeypatch.setattr(penalties, "OWN", (*own, *extensions.classes(penalties.GROUP, Penalty)))
        monkeypatch.setattr(extensions, "entry_points", lambda group: [])
    assert penalties.kinds.__wrapped__() == own
    assert "whole of the group" in caplog.text
    assert "has penalty-whole, penalty-form-whole" in caplog.text
    added = {"penalty-whole": "All is gone.", "penalty-form-whole": "whole"}
    monkeypatch.setattr(language_files, "own", lambda *_: {**said, **added})
    assert [kind.kind for kind in penalties.kinds.__wrapped__()[len(own) :]] == ["whole"]


def test_data_of_a_package_is_found_before_its_code_is_run(tmp_path, monkeypatch):
    """Its code may need the words: those of one that imports `firmware_bridge` came too late."""
    (tmp_path / "with_words" / "words").mkdir(parents=True)
    (tmp_path / "with_words" / "__init__.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(tmp_path)
    points = [EntryPoint("one", f"with_words{name}", "any") for name in (".words", "", ".none")]
    monkeypatch.setattr(extensions, "entry_points", lambda group: points)
    assert set(extensions.folders("any")) == {
        tmp_path / "with_words" / "words",
        tmp_path / "with_words",
    }
