"""The store of arenas: their events while they last, their people's panels, their secrets."""
