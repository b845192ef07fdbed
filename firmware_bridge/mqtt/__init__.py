"""The board in the house and in the club: its public view, through an MQTT broker."""
