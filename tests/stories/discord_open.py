"""What stories about Discord show to be wrong today, and what simulations must not draw for it."""

OPEN: dict[str, str] = {
    "test_full_table_is_dealt_where_a_channel_is_limited": "webhook limits of a channel",
    "test_limit_of_a_channels_panels_slows_pushes": "webhook limits of a channel",
    "test_headers_without_an_end_stop_no_table": "rate limit headers without an end",
    "test_hanging_answer_leaves_its_panel_live": "hanging answers",
    "test_hung_answers_count_for_nothing_in_the_load": "hanging answers",
}
"""By the test's name, the kind of fault that a random simulation must not draw yet."""
