"""Everything as one file, and back from it: whole, or not at all."""

import errno
import hashlib
import itertools
import json
import resource
import shutil
import stat
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.cli import main
from firmware_bridge.config import load_config
from firmware_bridge.distance.friends import befriend, friends_in
from firmware_bridge.distance.pairing import Friend
from firmware_bridge.distance.sealing import Keys, PublicKeys
from firmware_bridge.journal import Journal
from firmware_bridge.journal.letter_book import Kept, LetterBook, put_letters
from firmware_bridge.messages.records import Record
from firmware_bridge.saved import archive, restoring
from firmware_bridge.saved.restoring import NotRestored, finish, restore, restored
from firmware_bridge.words import LANGUAGES

PIN, PASSWORD = "271828", 'ge"heim \\ 4711'
CHANGED = ("replace", "rename", "rmdir", "unlink", "mkdir", "touch")


def board(folder, language="en", games=1):
    """Make an installation with games, and keys wherever there can be some."""
    folder.mkdir()
    data = folder / "games"
    journal = Journal(data)
    for _ in range(games):
        journal.append(journal.new_game(), [Record(0, "begun", {"language": language})])
    journal.close()
    (data / "secret").write_bytes(language.encode() * 16)
    befriend(
        data, Friend("Anna", Keys(b"1" * 32, b"2" * 32), PublicKeys(b"3" * 32, b"4" * 32), "1")
    )
    (folder / "pieces.json").write_text(f'["{language}"]')
    configuration = folder / "config.toml"
    configuration.write_text(
        f'language = "{language}"\ndata = "games"\n[board]\npieces = "pieces.json"\n'
        f'settings = {{ port = "/dev/x", password = "{PIN}7" }}\n'
        f"[pages]\nreferee_pin = {PIN!r}\nkiosk = true\n"
        f"[mqtt]\nhost = 'broker'\nusername = 'us'\npassword = '{PASSWORD}'\n"
    )
    configuration.chmod(0o640)
    return configuration


@pytest.fixture
def old(tmp_path):
    return board(tmp_path / "old", "de", games=3)


@pytest.fixture
def new(tmp_path):
    return board(tmp_path / "new")


@pytest.fixture
def saved(old, tmp_path):
    archive.save(load_config(old), tmp_path / "file.zip", keys=False)
    return tmp_path / "file.zip"


def take(source, configuration):
    return restore(source, load_config(configuration), configuration)


def looked_at(configuration):
    """All that counts of an installation: settings, games, pieces, friends, secret."""
    config = load_config(configuration)
    journal = Journal(config.data)
    game, _ = journal.last_game()
    number = journal._database.execute("SELECT count(*) FROM games").fetchone()[0]
    language = journal.read(game)[0].data["language"]
    journal.close()
    return SimpleNamespace(
        config=config,
        games=number,
        languages={
            config.language,
            language,
            json.loads(config.board.pieces.read_bytes())[0],
        },
        friends=[friend.name for friend in friends_in(config.data)],
        secret=(config.data / "secret").read_bytes()[:2].decode(),
    )


def test_with_keys_all_is_there_again(old, new, tmp_path):
    archive.save(load_config(old), tmp_path / "file.zip", keys=True)
    assert stat.S_IMODE((tmp_path / "file.zip").stat().st_mode) == 0o600
    told = take(tmp_path / "file.zip", new)
    found = looked_at(new)
    assert (found.games, found.languages, found.friends, found.secret) == (
        3,
        {"de"},
        ["Anna"],
        "de",
    )
    assert found.config.pages.referee_pin == PIN
    assert found.config.mqtt.password == PASSWORD
    assert found.config.data == new.parent / "games", "where games lie is about this machine"
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    assert "Anna" not in restored(told, "en")


def test_letters_of_games_far_away_go_with_the_keys(old, new, tmp_path):
    """Those that are laid aside too; what was here before lies beside it."""
    book, other = (LetterBook(load_config(one).data) for one in (old, new))
    names = "a" * 32, "b" * 32
    for name in names:
        book.add(name, "anna", [Kept("sent", b"{}", b"1")])
    book.lay_aside(names[1])
    other.add("c" * 32, "anna", [Kept("taken", b"{}", b"2")])
    archive.save(load_config(old), tmp_path / "with.zip", keys=True)
    archive.save(load_config(old), tmp_path / "without.zip", keys=False)
    take(tmp_path / "without.zip", new)
    assert other.games() == ("c" * 32,)
    take(tmp_path / "with.zip", new)
    assert other.games() == names[:1]
    for each in (book, other):
        assert each.take_up(names[1])
    assert [other.read(name) for name in names] == [book.read(name) for name in names]
    modes = {path.stat().st_mode & 0o077 for path in load_config(new).data.rglob("letters/**/*")}
    assert modes == {0}


@pytest.mark.parametrize("text", ["[]", "{", '{"../x": ""}', '{"aside/../y": ""}', '{"x": 1}'])
def test_letters_that_are_none_are_refused(tmp_path, text):
    with pytest.raises(ValueError):  # noqa: PT011 - whatever is wrong with them
        put_letters(text, tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_without_keys_none_is_in_the_file_and_those_here_stay(saved, new):
    with zipfile.ZipFile(saved) as packed:
        whole = b"".join(packed.read(name) for name in packed.namelist())
        assert not {"secret", "friends.json"} & {*packed.namelist()}
    for key in (PIN, "heim", b"1".hex() * 32):
        assert key.encode() not in whole
    told = take(saved, new)
    found = looked_at(new)
    assert (found.languages, found.secret, found.config.pages.referee_pin) == ({"de"}, "en", None)
    assert found.config.board.settings == {"port": "/dev/x"}
    assert "Anna" in restored(told, "en")


def test_what_was_here_before_lies_beside_it(saved, new):
    take(saved, new)
    (before,) = (new.parent / "games").glob("before-*")
    journal = Journal(before)
    assert journal.read(journal.last_game()[0])[0].data == {"language": "en"}
    journal.close()


def again(source, target, change):
    """Write a file anew with its parts changed; a part without content is left out."""
    with zipfile.ZipFile(source) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    change(parts)
    with zipfile.ZipFile(target, "w") as packed:
        for name, content in parts.items():
            packed.writestr(name, content)


def about(parts, **told):
    parts["saved.json"] = json.dumps({**json.loads(parts["saved.json"]), **told}).encode()


def replaced(parts, name, content):
    """Put a part in whose sum is right: whoever forges a file reckons it anew."""
    parts[name] = content
    sums = json.loads(parts["saved.json"])["sums"]
    about(parts, sums={**sums, name: hashlib.sha256(content).hexdigest()})


def configured(parts, text):
    replaced(parts, "configuration.json", text)


BAD = {
    "newer": [
        lambda parts: about(parts, format=2, version="99.0"),
        lambda parts: configured(parts, b'{"telepathy": {"on": true}}'),
        lambda parts: configured(parts, b"[]"),
        lambda parts: configured(parts, b"[" * 100_000),
        lambda parts: configured(parts, b'{"language": "\\ud800"}'),
        lambda parts: configured(parts, b'{"board": {"pieces": null}}'),
        lambda parts: replaced(parts, "letters.json", b"[" * 100_000),
        lambda parts: replaced(parts, "friends.json", b"[]"),
        lambda parts: replaced(parts, "friends.json", b"[" * 100_000),
    ],
    "altered": [
        lambda parts: parts.update({"journal.sqlite": parts["journal.sqlite"][:-1] + b"!"}),
        lambda parts: parts.update({"saved.json": b"[]"}),
        lambda parts: parts.update({"saved.json": b"{"}),
        lambda parts: about(parts, games="many"),
        lambda parts: about(parts, version='1\nlanguage = "fr"'),
        lambda parts: about(parts, day="2026-11-24\nnonsense"),
        lambda parts: about(parts, friends=["Anna"] * 200_000),
    ],
    "strange": [
        lambda parts: parts.update({"../config.toml": b""}),
        lambda parts: parts.update({"/etc/passwd": b""}),
        lambda parts: parts.update({"board/../../x": b""}),
    ],
    "half": [
        lambda parts: parts.pop("journal.sqlite"),
        lambda parts: parts.pop("saved.json"),
    ],
}


@pytest.mark.parametrize(
    ("why", "change"), [(why, change) for why, changes in BAD.items() for change in changes]
)
def test_a_bad_file_is_refused_by_a_sentence_and_changes_nothing(saved, new, tmp_path, why, change):
    again(saved, tmp_path / "bad.zip", change)
    refused_and_as_before(tmp_path / "bad.zip", new, why)


@pytest.mark.parametrize("packed_by", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_is_packed_in_another_way_is_not_unpacked(saved, new, packed_by):
    """Two altered bytes of a file say so, and what then unpacks it fails in ways of its own."""
    content = bytearray(saved.read_bytes())
    for begins, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        content[content.index(begins) + at] = packed_by
    saved.write_bytes(content)
    refused_and_as_before(saved, new, "altered")


def test_a_stick_that_is_pulled_while_it_is_read_is_what_cannot_be_read(saved, new, monkeypatch):
    def pulled(self, count=-1):
        raise OSError(errno.EIO, "Input/output error")

    for reads in range(4):  # what is told of the file, then its parts
        left = itertools.chain([zipfile.ZipExtFile.read] * reads, itertools.repeat(pulled))
        with monkeypatch.context() as patch:
            patch.setattr(zipfile.ZipExtFile, "read", lambda *asked, left=left: next(left)(*asked))
            refused_and_as_before(saved, new, "unreadable")


def test_where_games_lie_is_about_this_machine_also_where_nothing_says_so(
    saved, new, tmp_path, monkeypatch
):
    elsewhere, home = tmp_path / "elsewhere", tmp_path / "home"
    forged = {"data": str(elsewhere), "updates": {}, "language": "de"}
    again(saved, tmp_path / "x.zip", lambda parts: configured(parts, json.dumps(forged).encode()))
    new.write_text('language = "en"\n')
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    take(tmp_path / "x.zip", new)
    found = load_config(new)
    assert found.language == "de"
    assert found.data.is_relative_to(home)
    assert not elsewhere.exists()


def refused_and_as_before(source, new, why):
    before = all_of(new.parent)
    with pytest.raises(NotRestored) as refused:
        take(source, new)
    assert refused.value.why == why
    assert all_of(new.parent) == before
    for language in LANGUAGES:
        assert "{" not in refused.value.told(language)


def all_of(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "journal.lock"
    }


@pytest.mark.parametrize("left", [0, 1, 0.5, 0.99])
def test_half_a_file_is_refused(saved, new, left):
    content = saved.read_bytes()
    saved.write_bytes(content[: int(len(content) * left)] if left != 1 else b"x" * 100)
    refused_and_as_before(saved, new, "half")


@given(at=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_one_flipped_bit_never_does_harm(tmp_path_factory, at, bit):
    """Most are refused; where a zip does not look, as at a date, all is as it was saved."""
    tmp_path = tmp_path_factory.mktemp("flipped")
    old, new = board(tmp_path / "old", "de"), board(tmp_path / "new")
    archive.save(load_config(old), tmp_path / "file.zip", keys=True)
    content = bytearray((tmp_path / "file.zip").read_bytes())
    content[int(len(content) * at)] ^= 1 << bit
    (tmp_path / "file.zip").write_bytes(content)
    try:
        take(tmp_path / "file.zip", new)
    except NotRestored:
        assert looked_at(new).languages == {"en"}
    else:
        assert looked_at(new).languages == {"de"}


def test_a_file_that_is_not_there_and_too_little_room_are_told(saved, new, monkeypatch):
    refused_and_as_before(saved.with_name("none.zip"), new, "unreadable")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10_000))
    refused_and_as_before(saved, new, "room")


def test_a_card_that_takes_no_more_in_the_middle_leaves_what_was_here(saved, new):
    least, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, most))  # the games need more
    try:
        refused_and_as_before(saved, new, "unwritten")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (least, most))


def test_a_service_that_runs_is_not_disturbed(saved, new):
    journal = Journal(new.parent / "games")
    refused_and_as_before(saved, new, "in-use")
    journal.close()


class Killed(BaseException):
    """The power is gone."""


def test_cut_off_before_any_change_it_is_the_old_or_the_new(old, tmp_path, monkeypatch):
    """And what was cut off after the decision is finished at the next start."""
    archive.save(load_config(old), tmp_path / "file.zip", keys=True)
    ends, cut = [], 0
    while "done" not in ends:
        new = board(tmp_path / f"new{cut}")
        with monkeypatch.context() as patched:
            killed_at(patched, cut)
            try:
                take(tmp_path / "file.zip", new)
                ends.append("done")
            except Killed:
                ends.append("cut")
        cut += 1
        finish(load_config(new).data, new)
        found = looked_at(new)
        state = (found.games, *found.languages, found.secret)
        assert state in {(1, "en", "en"), (3, "de", "de")}, cut
        ends[-1] += f" {found.secret}" if ends[-1] == "cut" else ""
        take(tmp_path / "file.zip", new)  # once more succeeds, whatever was left
        assert looked_at(new).games == 3
        assert not [*(new.parent / "games").glob("restored-*")]
    assert ends.count("cut en") > 5
    assert ends.count("cut de") > 5


def killed_at(patched, cut):
    """Let the power fail right before one of the changes to the disk, and stay away."""
    left = [cut]

    def dying(change):
        def changed(*arguments, **more):
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return change(*arguments, **more)

        return changed

    for name in CHANGED:
        patched.setattr(Path, name, dying(getattr(Path, name)))
    patched.setattr(shutil, "rmtree", dying(shutil.rmtree))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(
    st.dictionaries(
        TEXTS,
        st.recursive(
            TEXTS | st.booleans() | st.integers() | st.floats(-9, 9),
            lambda inner: st.dictionaries(TEXTS, inner, max_size=3),
        ),
        max_size=4,
    )
)
def test_whatever_is_configured_is_written_as_it_is_read(values):
    import tomllib

    assert tomllib.loads("\n".join(restoring._toml(values))) == values


def test_the_commands_save_and_restore_and_tell_what(old, new, tmp_path):
    file, run = tmp_path / "file.zip", CliRunner().invoke
    done = run(main, ["save", "-c", str(old), str(file)])
    assert done.output == f"{file} holds 3 games and 1 friends, without keys.\n"
    done = run(main, ["restore", "-c", str(new), "--language", "de", str(file)])
    assert done.output.startswith("Wiederhergestellt: 3 Partien")
    assert looked_at(new).languages == {"de"}
    file.write_bytes(b"")
    done = run(main, ["restore", "-c", str(new), str(file)])
    assert done.exit_code == 5
    assert "Copy it once more" in done.output
