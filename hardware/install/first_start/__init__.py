"""What a card asks at its first start, with nothing but Python's own library.

`answers` says what can be answered, `writing` puts it where it belongs, `restoring` brings what was
saved on another card, `page` asks for it.
"""
