//! GitLab's answers, one by one: a canned answer, the real client, an action of core, and the right view or error.
//!
//! Kinds of answers that GitLab is known to give, by name, and where each is tested:
//!
//! | Answer | Test |
//! |---|---|
//! | `agent_privileges` | none: privileges are left to GitLab, so that no action asks for them |
//! | `catalog_consumers_all_disabled_page` | `catalog::a_page_of_disabled_rows_is_empty_and_leads_on` |
//! | `catalog_consumers_odd_rows` | `catalog::odd_rows_are_shown_as_far_as_they_go_and_made_up_ones_never_twice` |
//! | `catalog_consumers_page` | `catalog::rows_of_19_5_tell_what_can_be_started_and_why_not` |
//! | `catalog_consumers_page_pre_19_5` | `catalog::below_19_5_whether_a_flow_can_be_started_is_unknown_and_never_no` |
//! | `create_error_400_code_review_goal`, `…_400_execute_service`, `…_400_model_hash`, `…_400_validation`, `…_422` | [`refusals`] at every place of [`rest_errors`] |
//! | `create_inband_error` | none: the mutation starts nothing in CI and is never sent |
//! | `create_request_agent` | `starts::an_agent_is_started_by_its_reference_with_version_in_the_ambient_environment` |
//! | `create_request_code_review` | `starts::below_19_5_a_review_is_sent_the_number_and_the_branch` |
//! | `create_request_consumer` | `starts::a_custom_flow_is_started_by_its_consumer` |
//! | `create_request_fix_pipeline` | `starts::below_19_5_a_pipeline_of_a_merge_request_is_sent_with_its_branch_and_context` |
//! | `create_request_reference`, `create_success_reference` | none: a flow is started by its consumer, since a session started by reference cannot be answered |
//! | `create_success_agent` | `starts::an_agent_is_started_by_its_reference_with_version_in_the_ambient_environment` |
//! | `create_success_consumer` | `starts::a_custom_flow_is_started_by_its_consumer` |
//! | `create_success_foundational_consumer` | `starts::a_foundational_flow_is_started_by_the_projects_consumer_so_that_it_can_be_answered` |
//! | `create_success_string_workload` | `starts::the_shape_of_the_documentation_and_gitlabs_own_message_are_taken` |
//! | `create_without_start` | `starts::a_session_without_workload_is_told_with_gitlabs_message` |
//! | `created_links` | `sessions::a_finished_session_tells_its_answer_and_all_it_created` |
//! | `error_400_resume_execute`, `…_400_resume_missing`, `…_401_expired`, `…_401_revoked`, `…_401_unauthorized`, `…_403_bare`, `…_403_credits`, `…_403_identity_verification`, `…_403_insufficient_scope`, `…_403_reason_consumer`, `…_403_service_account`, `…_404_consumer`, `…_404_no_route`, `…_404_project`, `…_404_record`, `…_404_resume_no_consumer`, `…_404_resume_no_item`, `…_405_moved_project`, `…_409`, `…_429_application`, `…_429_rack_attack`, `…_500`, `…_502_html` | [`refusals`] at every place of [`rest_errors`] |
//! | `error_503_graphql_timeout` | [`graphql_errors`] |
//! | `foundational_agents` | `catalog::agents_come_first_and_those_of_the_chat_are_never_startable` |
//! | `graphql_error_401`, `…_403`, `…_422_too_large`, `…_500`, `…_complexity`, `…_depth`, `…_namespace`, `…_resource`, `…_too_many` | [`graphql_errors`], at a session, a list, a catalog and its facts |
//! | `graphql_error_cursor` | `graphql_errors::a_cursor_that_gitlab_does_not_know_is_a_wrong_argument` |
//! | `graphql_error_not_found`, `session_deleted_or_hidden` | `graphql_errors::a_session_that_is_gone_or_hidden_is_not_found_and_named` |
//! | `graphql_error_partial` | `catalog::errors_beside_data_do_not_hide_the_rows`, `graphql_errors::an_error_beside_data_costs_only_the_field_it_is_about` |
//! | `graphql_error_undefined_argument` | `lists::an_argument_that_gitlab_refuses_is_applied_here_and_said_so` |
//! | `graphql_error_undefined_field` | `graphql_errors::an_unknown_field_costs_its_detail_once_and_not_the_answer` |
//! | `mcp_error_not_found`, `mcp_error_rate_limited`, `mcp_error_validation`, `mcp_get_duo_session_input_required_19_4`, `mcp_get_duo_session_running`, `mcp_list_duo_agents_and_flows`, `mcp_list_duo_sessions`, `mcp_send_duo_session_input`, `mcp_start_duo_session` | none: what GitLab's own MCP server answers, which is never asked |
//! | `merge_request` | `starts::below_19_5_a_review_is_sent_the_number_and_the_branch` |
//! | `merge_request_fork` | `starts::below_19_5_what_has_no_branch_in_this_project_is_refused_before_anything_is_sent` |
//! | `merge_requests_by_branch`, `pipeline_branch` | `starts::below_19_5_the_newest_own_merge_request_of_a_branch_pipeline_is_its_context` |
//! | `metadata` | every test; `graphql_errors::where_metadata_is_not_served_the_old_address_tells_the_version_and_nonsense_is_the_oldest` |
//! | `metadata_graphql` | none: the version comes from REST, which every edition serves; its `-pre`: `graphql_errors::a_pre_release_counts_as_the_release_before_it` |
//! | `pipeline_duo_workload` | `starts::a_pipeline_of_a_sessions_own_workload_is_sent_with_its_ref` |
//! | `pipeline_graphql` | none: pipelines are looked up by REST, in every version alike |
//! | `pipeline_merge_request` | `starts::below_19_5_a_pipeline_of_a_merge_request_is_sent_with_its_branch_and_context` |
//! | `project` | [`starts`], [`catalog`] |
//! | `project_hidden_graphql` | `catalog::facts_that_gitlab_keeps_to_itself_are_unknown` |
//! | `project_moved_301` | `rest_errors::a_renamed_project_is_found_by_its_old_path_and_started_by_number` |
//! | `rest_checkpoints`, `rest_events`, `rest_session`, `session_events`, `trace_jsonl` | none: no action reads a session by other means than the query for it |
//! | `resume_request_answer`, `resume_request_approve`, `resume_success` | `answers::an_answer_travels_as_no_with_its_message_and_an_approval_without_one` |
//! | `session_agent` | `sessions::an_agents_session_names_the_agent` |
//! | `session_created` | `sessions::a_created_session_waits_for_its_job` |
//! | `session_failed` | `sessions::a_failed_session_tells_why_and_what_it_created_before` |
//! | `session_finished` | `sessions::a_finished_session_tells_its_answer_and_all_it_created` |
//! | `session_idle_future` | `sessions::an_idle_session_keeps_gitlabs_group_and_promises_nothing` |
//! | `session_input_required` | `checkpoints::a_question_is_shown_and_can_be_answered` |
//! | `session_input_required_job_running` | `checkpoints::a_question_whose_job_still_runs_cannot_be_answered_yet` |
//! | `session_list` | `lists::a_page_of_19_x_shows_every_row_with_its_project_and_page` |
//! | `session_list_18_9` | `lists::a_page_of_18_9_is_as_good_where_the_list_goes` |
//! | `session_list_empty` | `lists::no_session_is_an_empty_list_and_no_error` |
//! | `session_namespace_level` | `sessions::a_session_of_a_group_has_no_project_and_no_page` |
//! | `session_no_history` | `sessions::a_missing_history_is_unknown_and_claims_nothing` |
//! | `session_not_resumable_no_item_version` | `checkpoints::a_session_without_an_item_version_cannot_be_resumed_whatever_the_permission_says` |
//! | `session_of_another_user` | `sessions::a_colleagues_session_is_readable` |
//! | `session_paused` | `sessions::a_paused_session_is_not_terminal_and_takes_no_answer` |
//! | `session_plan_approval_required` | `checkpoints::a_plan_is_shown_and_can_be_approved_from_19_5_on` |
//! | `session_running` | `sessions::a_running_session_is_looked_at_again_after_half_a_minute` |
//! | `session_stopped` | `sessions::a_stopped_session_is_terminal` |
//! | `session_tool_call_approval_required` | `checkpoints::every_pending_call_is_shown_and_one_decision_answers_all` |
//! | `session_tool_call_approval_required_pre_19_5` | `checkpoints::below_19_5_pending_calls_are_shown_and_cannot_be_approved` |
//! | `session_unknown_status` | `sessions::an_unknown_status_stays_visible_as_it_came` |
//! | `status_check` | `catalog::a_project_where_all_is_well_says_so` |
//! | `status_check_blocked` | `catalog::a_blocked_project_says_what_blocks_it_in_gitlabs_words` |
//! | `stop_error_400` | `answers::a_session_that_ended_just_before_the_stop_is_a_plain_result`, `answers::a_stop_that_gitlab_refuses_for_another_reason_keeps_its_words` |
//! | `stop_request`, `stop_success` | `answers::a_stop_is_a_status_event_and_ends_the_session` |
//! | `trace_error_413` | its status at every place of [`rest_errors`]: no action reads a trace |
//!
//! Faults that people have reported of such programs, as far as core and this client can show them:
//!
//! | Fault | Tests |
//! |---|---|
//! | spellings of a project and of the base URL | `cases_reads::every_spelling_…`, `cases_reads::digits_are_an_id_…`, `cases_writes::a_redirected_write_…` |
//! | an older GitLab | `graphql_errors::an_unknown_field_…`, `cases_reads::an_endpoint_that_…`, `cases_reads::the_community_edition_…`, `sessions::an_older_gitlab_…` |
//! | a write sent twice | the first five of [`cases_writes`] |
//! | scopes, and the many meanings of 403 | `cases_reads::a_token_that_may_only_read_…`, `cases_reads::a_reason_of_gitlab_…`, `rest_errors::a_refused_answer_…` |
//! | a sign-in that expires | `cases_reads::a_sign_in_that_expires_…`, `cases_reads::a_write_that_is_not_signed_in_…` |
//! | very large histories | `cases_limits::a_history_…`, `cases_limits::an_answer_beyond_the_limit_…`, `cases_limits::every_pending_call_…` |
//! | an empty page that is not the last | `cases_reads::an_empty_page_…`, `cases_reads::the_flow_of_a_start_…`, `cases_reads::a_flow_that_is_looked_for_…`, `cases_reads::agents_come_on_top_…` |
//! | too many requests, in every shape | the first five of [`cases_limits`] |
//! | instructions hidden in the text of a session | the last three of [`cases_limits`] |
//! | a session that never really starts | the last two of [`cases_writes`], `starts::the_shape_of_…` |

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod canned;
mod cases_limits;
mod cases_reads;
mod cases_writes;
mod catalog;
mod checkpoints;
mod graphql_errors;
mod lists;
mod refusals;
mod rest_errors;
mod session_nodes;
mod sessions;
mod starts;
