"""What stories about Discord show to be wrong today, and what simulations must not draw for it."""

OPEN: dict[str, str] = {
    "test_lost_posting_is_deleted_when_it_is_pressed": "lost answers of postings",
    "test_thread_that_cannot_be_had_is_told": "thread limits",
    "test_message_that_cannot_be_changed_is_told": "edits refused for good",
    "test_unknown_refusal_is_not_repeated_for_ever": "edits refused for good",
    "test_message_that_is_always_deleted_is_posted_no_more": "bots that delete messages",
}
"""By the test's name, the kind of fault that a random simulation must not draw yet."""
