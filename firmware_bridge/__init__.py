"""The service: from what a board feels to a refereed game that people can see and hear."""
