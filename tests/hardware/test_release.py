"""A release is made of what is committed, all of it or nothing."""

import hashlib
import subprocess
import sys

import pytest

from hardware.tools import release

CHANGELOG = """# Changelog

## Unreleased

### Added

- Tea.

## 1.0.0rc1 (2026-01-01)

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
        self.git("init", "-q")
        self.commit()

    def write(self, name, text):
        (self.root / name).write_text(text)

    def git(self, *arguments):
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True)

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
    assert english == "### Fixed\n\n- Leaks.\n"
    bundle = (checkout.out / "firmware-bridge-1.0.0rc1.update").read_text()
    assert bundle.endswith(f"{english} Lecks.\n")
    sums = (checkout.out / "SHA256SUMS").read_text().splitlines()
    assert len(sums) == 4
    for line in sums:
        digest, name = line.split()
        assert hashlib.sha256((checkout.out / name).read_bytes()).hexdigest() == digest


def test_tests_that_have_just_run_are_not_run_again(checkout, monkeypatch):
    checkout.release(monkeypatch, "--no-tests")
    assert (checkout.tested, checkout.out.exists()) == (False, True)


def test_nothing_is_released_that_is_not_committed(checkout, monkeypatch):
    checkout.write("new.py", "")
    with pytest.raises(SystemExit, match=r"new\.py"):
        checkout.release(monkeypatch)
    assert (checkout.tested, checkout.out.exists()) == (False, False)


def test_a_version_of_which_the_changelog_says_nothing_is_not_released(checkout, monkeypatch):
    checkout.write("pyproject.toml", '[project]\nversion = "1.0.0rc2"\n')
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


def test_a_release_overwrites_none(checkout, monkeypatch):
    checkout.out.mkdir()
    with pytest.raises(SystemExit, match="already"):
        checkout.release(monkeypatch)
