"""Faults to plant in the bot, one at a time: a simulation that misses one of them sees too little.

Each replaces one thing that keeps a promise. They are for a process of their own.
"""

from collections.abc import Callable

from tests.simulate import plant_groups, plant_http, plant_records, plant_tables

PLANTED: dict[str, Callable[[], None]] = {
    "answer before commit": plant_records.answers_first,
    "journal out of order": plant_records.notes_wait,
    "result twice": plant_records.stores_twice,
    "rating twice": plant_records.rates_twice,
    "result not on the disk": plant_records.trusts_the_system,
    "command forgotten": plant_records.forgets_the_command,
    "resume skips an entry": plant_records.skips_an_entry,
    "await before the queue": plant_tables.asks_first,
    "margin by its turn": plant_tables.reads_time_late,
    "lock not released": plant_tables.keeps_its_turn,
    "time by the wall clock": plant_tables.measures_by_the_wall,
    "seat not freed": plant_tables.keeps_the_seat,
    "lost push": plant_tables.forgets_changes,
    "token used after its death": plant_tables.trusts_old_tokens,
    "background task that dies silently": plant_tables.ticks_no_more,
    "task that is never begun": plant_tables.begins_not_all,
    "panel not forgotten": plant_tables.keeps_panels,
    "screen kept too long": plant_tables.keeps_screens,
    "queue not forgotten": plant_tables.keeps_queues,
    "connections left open": plant_http.leaves_open,
    "answer of another request": plant_http.reads_anothers_answer,
}
"""What can be planted, by its name."""
BETWEEN_GROUPS: dict[str, Callable[[], None]] = {
    "lease ignored": plant_groups.ignores_leases,
    "hop out of order": plant_groups.hands_over_in_any_order,
    "floor doubled": plant_groups.doubles_the_floor,
    "number reused": plant_groups.reuses_numbers,
    "choice not heard": plant_groups.hears_no_choices,
    "forgotten here alone": plant_groups.forgets_here_alone,
    "daily without a claim": plant_groups.claims_nothing,
}
"""What can be planted where several groups play."""
IN_A_CROWD = frozenset({"floor doubled"})
"""Faults that only show where so much is played that the limit of all calls is reached."""


def plant(name: str) -> None:
    """Put this fault into the bot of this process, for good."""
    (PLANTED | BETWEEN_GROUPS)[name]()
