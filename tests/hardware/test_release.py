"""A release is made of what is committed, all of it or nothing."""

import hashlib
import json
import subprocess
import sys

import pytest

from hardware.tools import release

CHANGELOG = """# Changelog

## Unreleased

### Added

- Tea.

## 1.0.0rc1 (2026-01-01)

No leaks.

### Fixed

- Leaks.

## 1.0.0

- Not yet.
"""
BUNDLE = """
import sys
from pathlib import Path
notes = Path(sys.argv[sys.argv.index("--notes") + 1])
told = [(notes / f"{language}.md").read_text() for language in ("en", "de")]
Path(sys.argv[-1]).write_text(" ".join(told))
"""


CARD = """#!/bin/sh
[ "$1 $2" = "arm64 trixie" ] || exit 1
echo image >"$3/card.img"
echo packed >"$3/card.img.xz"
"""


class Checkout:
    """A repository with no more in it than a release asks for, and how one is made of it."""

    def __init__(self, root):
        self.root, self.out = root / "checkout", root / "out"
        tools = self.root / "hardware/tools"
        tools.mkdir(parents=True)
        for package in (tools, tools.parent):
            (package / "__init__.py").touch()
        (tools / "bundle.py").write_text(BUNDLE)
        (self.root / "CHANGELOG.md").write_text(CHANGELOG)
        self.write("pyproject.toml", '[project]\nversion = "1.0.0rc1"\n')
        self.write("test", "#!/bin/sh\ntouch ../../tested\n")
        (self.root / "test").chmod(0o755)
        (root / "de.md").write_text("Lecks.\n")
        install = self.root / "hardware/install"
        install.mkdir()
        call = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "me", "-f", root / "key"]
        subprocess.run(call, check=True)
        signer = f'release namespaces="x" {(root / "key.pub").read_text()}'
        self.write("hardware/install/allowed_signers", signer)
        self.write("hardware/install/make-card", CARD)
        (install / "make-card").chmod(0o755)
        icon = self.root / "firmware_bridge/pages/static/icon.svg"
        icon.parent.mkdir(parents=True)
        icon.write_text("<svg/>")
        self.git("init", "-q")
        self.git("config", "user.name", "a")
        self.git("config", "user.email", "a@example.org")
        self.commit()

    def write(self, name, text):
        (self.root / name).write_text(text)

    def git(self, *arguments):
        call = ["git", *arguments]
        done = subprocess.run(call, cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout.split()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "all", "--no-gpg-sign")

    def release(self, monkeypatch, *more):
        place = self.root.parent
        asked = (f"--key={place}/key", f"--wheels={place}", f"--german={place}/de.md")
        monkeypatch.setattr(sys, "argv", ["release", *asked, *more, str(self.out)])
        release.main(self.root)

    @property
    def tested(self):
        return (self.root.parent / "tested").exists()


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path)


def test_a_release_has_a_bundle_notes_what_an_address_answers_and_checksums(checkout, monkeypatch):
    checkout.release(monkeypatch)
    assert checkout.tested
    made = {str(path.relative_to(checkout.out)) for path in checkout.out.rglob("*.*")}
    assert made == {"firmware-bridge-1.0.0rc1.update", "notes/en.md", "notes/de.md"}
    assert (checkout.out / "latest").read_text() == "1.0.0rc1\n"
    english = (checkout.out / "notes/en.md").read_text()
    assert english == "No leaks.\n"
    bundle = (checkout.out / "firmware-bridge-1.0.0rc1.update").read_text()
    assert bundle.endswith(f"{english} Lecks.\n")
    sums = (checkout.out / "SHA256SUMS").read_text().splitlines()
    assert len(sums) == 4
    for line in sums:
        digest, name = line.split()
        assert hashlib.sha256((checkout.out / name).read_bytes()).hexdigest() == digest


def test_a_release_is_tagged_once(checkout, monkeypatch):
    checkout.release(monkeypatch)
    (tag,) = checkout.git("tag", "--list")
    assert tag == "v1.0.0rc1"
    assert checkout.git("rev-parse", f"{tag}^{{commit}}") == checkout.git("rev-parse", "HEAD")
    (checkout.root.parent / "tested").unlink()
    checkout.out.rename(checkout.out.with_name("elsewhere"))
    with pytest.raises(SystemExit, match=r"v1\.0\.0rc1 is there already"):
        checkout.release(monkeypatch)
    assert not checkout.tested


def test_the_cards_image_is_offered_by_a_list_for_imager(checkout, monkeypatch):
    checkout.release(monkeypatch, "--card", "https://example.org/board/")
    (entry,) = json.loads((checkout.out / "imager.json").read_text())["os_list"]
    image = checkout.out / "firmware-bridge-1.0.0rc1.img.xz"
    assert entry["url"] == f"https://example.org/board/{image.name}"
    assert entry["image_download_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert (entry["extract_size"], entry["image_download_size"]) == (6, 7)
    assert entry["init_format"] == "cloudinit", "what the first start reads"
    # What its makers' schema asks for.
    asked = {"name", "description", "icon", "url", "extract_size", "extract_sha256"}
    assert asked | {"image_download_size", "release_date", "devices"} <= entry.keys()
    assert len((checkout.out / "SHA256SUMS").read_text().splitlines()) == 7


def test_what_boards_would_refuse_is_not_released(checkout, monkeypatch):
    checkout.write("hardware/install/allowed_signers", "# none\n")
    checkout.commit()
    with pytest.raises(SystemExit, match=r"Boards would refuse (.|\n)*ssh-ed25519"):
        checkout.release(monkeypatch)
    assert (checkout.tested, checkout.git("tag", "--list")) == (False, [])


def test_tests_that_have_just_run_are_not_run_again(checkout, monkeypatch):
    checkout.release(monkeypatch, "--no-tests")
    assert (checkout.tested, checkout.out.exists()) == (False, True)


def test_nothing_is_released_that_is_not_committed(checkout, monkeypatch):
    checkout.write("new.py", "")
    with pytest.raises(SystemExit, match=r"new\.py"):
        checkout.release(monkeypatch)
    assert (checkout.tested, checkout.out.exists()) == (False, False)


@pytest.mark.parametrize(
    "begins", ["", "## 1.0.0rc2\n\n### Fixed\n\n- Tea.\n", "## 1.0.0rc2\n" + "Tea.\n" * 300]
)
def test_a_version_of_which_a_page_could_not_tell_is_not_released(checkout, monkeypatch, begins):
    checkout.write("pyproject.toml", '[project]\nversion = "1.0.0rc2"\n')
    checkout.write("CHANGELOG.md", begins + CHANGELOG)
    checkout.commit()
    with pytest.raises(SystemExit, match=r"## 1\.0\.0rc2"):
        checkout.release(monkeypatch)
    assert not checkout.tested


@pytest.mark.parametrize("fails", ["test", "hardware/tools/bundle.py"])
def test_what_fails_leaves_nothing(checkout, monkeypatch, fails):
    checkout.write(fails, "#!/bin/false\nraise SystemExit(1)\n")
    checkout.commit()
    with pytest.raises(subprocess.CalledProcessError):
        checkout.release(monkeypatch)
    assert not checkout.out.exists()
    assert checkout.git("tag", "--list") == []


def test_a_release_overwrites_none(checkout, monkeypatch):
    checkout.out.mkdir()
    with pytest.raises(SystemExit, match="already"):
        checkout.release(monkeypatch)
