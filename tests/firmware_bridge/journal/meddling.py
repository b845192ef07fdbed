"""What people do to the files of a journal while a service writes it, each by its name.

Each is told the folder and an earlier copy of the files, which somebody may put back.
"""

import os
import shutil

FILE = "journal.sqlite"


def delete_file(folder, _):
    (folder / FILE).unlink()


def delete_log(folder, _):
    (folder / f"{FILE}-wal").unlink(missing_ok=True)


def delete_index(folder, _):
    (folder / f"{FILE}-shm").unlink(missing_ok=True)


def delete_lock(folder, _):
    (folder / "journal.lock").unlink()


def delete_all(folder, _):
    for path in (*folder.glob(f"{FILE}*"), folder / "journal.lock"):
        path.unlink()


def delete_folder(folder, _):
    shutil.rmtree(folder)


def move_all(folder, _):
    there = folder / "backup"
    there.mkdir(exist_ok=True)
    for path in folder.glob(f"{FILE}*"):
        path.rename(there / path.name)


def move_folder(folder, _):
    there = folder.with_name(f"{folder.name}-moved")
    shutil.rmtree(there, ignore_errors=True)  # it is not the first time
    folder.rename(there)


def put_another_there(folder, _):
    (folder / "new").write_bytes(b"nothing like a journal")
    (folder / "new").replace(folder / FILE)


def put_earlier_there(folder, earlier):
    shutil.copyfile(earlier / FILE, folder / "new")
    (folder / "new").replace(folder / FILE)


MOVED = (
    delete_file, delete_log, delete_index, delete_lock, delete_all, delete_folder, move_all,
    move_folder, put_another_there, put_earlier_there,
)  # fmt: skip
"""What leaves whole what is open: nothing at all may be lost."""


def copy_earlier_over(folder, earlier):
    shutil.copyfile(earlier / FILE, folder / FILE)


def copy_all_over(folder, earlier):
    for path in earlier.glob(f"{FILE}*"):
        shutil.copyfile(path, folder / path.name)


def empty_file(folder, _):
    os.truncate(folder / FILE, 0)


def empty_log(folder, _):
    os.truncate(folder / f"{FILE}-wal", 0)


def write_over_file(folder, _):
    size = (folder / FILE).stat().st_size
    (folder / FILE).write_bytes(b"x" * size)


def write_over_log(folder, _):
    size = (folder / f"{FILE}-wal").stat().st_size
    (folder / f"{FILE}-wal").write_bytes(b"x" * size)


OVERWRITTEN = (
    copy_earlier_over, copy_all_over, empty_file, empty_log, write_over_file, write_over_log,
)  # fmt: skip
"""What spoils what is open, too: the game that goes on is not lost, and the rest not in silence."""
