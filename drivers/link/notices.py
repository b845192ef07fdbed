"""What a board of ours may say of itself, in words."""

NOTICE_TEXTS = {
    "overflow": "More happened than the board could keep; it has sent its whole state instead.",
    "self-test-passed": "The board has tested itself: all is well.",
    "self-test-failed": "The board has tested itself and found something wrong.",
    "tag-reader-fault": "A tag reader of the board does not answer.",
    "sensor-stuck": "A sensor of the board does not change any more.",
    "contacts-broken": "The board cannot read its contacts: their chain is interrupted.",
    "light-fault": "The lights of the board do not answer.",
    "mended": "What did not answer on the board works again.",
    "low-power": "The board's power supply is weak.",
    "board-reset": "The board has restarted by itself; the game goes on from what it shows now.",
}
"""Code of a `BoardNotice` -> sentence for people."""
