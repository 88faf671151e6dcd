"""What stories about Discord show to be wrong today, and what simulations must not draw for it."""

OPEN: dict[str, str] = {
    "test_refused_commands_leave_tables_playable": "refused commands at the start",
    "test_refused_commands_are_told_later": "refused commands at the start",
    "test_refused_login_is_told_as_passing": "refused logins",
    "test_check_names_commands_left_in_a_server": "commands left in a server",
    "test_check_looks_at_install_settings": "servers without the bot",
    "test_command_in_a_server_without_the_bot": "servers without the bot",
    "test_lost_posting_is_deleted_when_it_is_pressed": "lost answers of postings",
    "test_thread_that_cannot_be_had_is_told": "thread limits",
    "test_message_that_cannot_be_changed_is_told": "edits refused for good",
    "test_unknown_refusal_is_not_repeated_for_ever": "edits refused for good",
    "test_message_that_is_always_deleted_is_posted_no_more": "bots that delete messages",
}
"""By the test's name, the kind of fault that a random simulation must not draw yet."""
