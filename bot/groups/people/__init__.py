"""A person is one person in all groups: their switches, their data, and their dailies."""
