"""A disk that fails where it is told to, beneath the SQLite library that the journal really uses.

SQLite reaches its files through a table of functions, one table a kind of file. `FaultyDisk` gives
the journal's main file and log copies of it in which writing, syncing and truncating are counted,
and the n-th such operation fails.
"""

import _sqlite3
import ctypes

SQLITE = ctypes.CDLL(_sqlite3.__file__)
FILE_POINTER, LOG_POINTER = 7, 28  # SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER
FULL, FAILED_WRITE, FAILED_SYNC = 13, 10 | 3 << 8, 10 | 4 << 8
# sqlite3_io_methods: iVersion, then xClose, xRead, xWrite, xTruncate, xSync, ...
WRITE, TRUNCATE, SYNC, WORDS = 3, 4, 5, 19

_WRITE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class FaultyDisk:
    """Counts what a connection does to its files, and fails one operation.

    Args:
        connection: an open `sqlite3.Connection` in write-ahead mode that has been written to.
        fail_at: the number of the operation that fails, counted from 1; `None` fails none.
        error: the SQLite code it fails with.
        only: the kinds of operation that count.
    """

    def __init__(self, connection, fail_at=None, error=FAILED_WRITE, only=(WRITE, TRUNCATE, SYNC)):
        self.count = 0
        self.fail_at = fail_at
        self.error = error
        self.only = only
        self._kept = []
        # The first field of the Python object after its header is the database handle.
        handle = ctypes.c_void_p.from_address(id(connection) + object.__basicsize__).value
        for pointer in (FILE_POINTER, LOG_POINTER):
            self._wrap(handle, pointer)

    def _wrap(self, handle, pointer):
        file = ctypes.c_void_p()
        control = SQLITE.sqlite3_file_control
        control.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
        assert control(handle, b"main", pointer, ctypes.byref(file)) == 0
        methods = ctypes.c_void_p.from_address(file.value)
        assert methods.value, "the file is not open"
        table = (ctypes.c_void_p * WORDS)()
        ctypes.memmove(table, methods.value, ctypes.sizeof(table))
        for slot, kind in ((WRITE, _WRITE), (TRUNCATE, _TRUNCATE), (SYNC, _SYNC)):
            counted = kind(self._counted(slot, kind(table[slot])))
            table[slot] = ctypes.cast(counted, ctypes.c_void_p).value
            self._kept.append(counted)
        self._kept.append(table)
        methods.value = ctypes.addressof(table)

    def _counted(self, slot, real):
        def operation(*arguments):
            if slot not in self.only:
                return real(*arguments)
            self.count += 1
            return self.error if self.count == self.fail_at else real(*arguments)

        return operation
