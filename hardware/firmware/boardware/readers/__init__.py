"""Tag readers. Each reads one UID without waiting: a generator that yields while the chip works.

A reader is made with (spi, select, number) and offers:

- `set_up()`: a generator; sets the chip up, returns whether it answered as it should.
- `renew()`: a generator; makes sure that the chip is as it was left, returns whether it is. One
  whose supply dipped, or that a spark has reset, has forgotten its set-up.
- `read()`: a generator; yields while waiting, returns the UID (4, 7 or 10 bytes), empty when
  no tag answered, or raises `Unclear` when something answered that cannot be trusted. Whatever
  the chip has forgotten, the next read but one is right.
"""


class Unclear(Exception):  # noqa: N818 - it is an answer
    """Something answered, but not cleanly: two tags at once, or a damaged answer."""
