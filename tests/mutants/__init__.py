"""Small faults are made in the rules and tables; the tests are asked which ones they notice."""
