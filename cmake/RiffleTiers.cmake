# SPDX-License-Identifier: Apache-2.0
#
# Tests that a tier leaves out, since what it would find there other tests find in that tier (docs/testing.md has the map). The plain
# tier has all, and so has every tier with RIFFLE_TEST_ALL, which check-long gives.
#
# Gives riffle_leaves_out(NAME OUT): whether this build leaves the test of that name out.

# Address sanitizer: these count what kernels access, for hours there. The machine itself looks at every address of a kernel. Its
# own memory, launch lists, predictions, lint's texts and the command's doors are looked at in the tests that stay: test_machine*, test_device,
# test_forecast, test_predict, test_sort_predict, cli_explain, test_bucket_machine, test_affine_machine, test_views_machine, test_merge_machine, test_hull_machine, test_sort_own_machine, test_lint,
# cli_lint, cli_lint_programs, cli_simulate and the fuzzers' corpora. A compiler, which no sanitizer is in, takes most of lint's tests.
set(riffle_not_address test_simulate test_one_door test_every_prediction test_addresses test_sort_machine test_axes_machine test_program_machine
  test_sort_rows_machine test_sort_segments_machine test_sort_accesses_machine test_hull_paper test_vat_costs
  test_hull_predict test_group_predict test_sort_predict_levels test_sort_predict_tasks
  cli_lint_documents cli_lint_widths cli_lint_rows cli_lint_lines cli_lint_copies cli_lint_outside cli_lint_idle cli_lint_calls
  cli_lint_advice cli_lint_action cli_lint_headers cli_congestion cli_rap_kernels cli_vat_measure bench_numbers)

# Long tests begin first: a run that ends with one leaves processors idle. Seconds of a check on two busy processors, in the slowest tier.
set(riffle_seconds aarch64 110 python_package 98 cli_lint 82 cli_lint_programs 80 python 59 cli_simulate 42 cli_permute 39 cli_lint_headers 30
  test_lint 28 cli_lint_rows 27 test_hull_kernels 27 cli_in_place 26 cli_vat_measure 26 cli_commands 24 test_nvrtc 23 test_once 23 cli_explain 23
  test_one_door 22 cli_lint_widths 22 test_hull_predict 22 cli_sort 20 cli_rap_kernels 20 cli_lint_copies 18 documents 17 test_sort_machine 17
  cli_lint_documents 15 test_program_cpu 15 test_program_machine 15 test_group_machine 14 test_group_predict 13 test_select_machine 13
  test_machine_hazards 12 test_sort_words 12 test_merge_machine 12 test_bucket_tile 12 cli_mpi 12 cli_lint_outside 11 cli_run 11
  test_sort_own_machine 11 test_simulate 11 cli_lint_idle 11 test_axes_machine 9 test_hull_machine 8 test_vat_costs 8 cli_lint_advice 8
  cli_lint_calls 8 test_sort_predict 7 test_spread 7 test_perm_random 6 test_every_prediction 6 test_affine_machine 6 test_addresses 6 test_predict 6
  test_hull_paper 5 test_affine_lines 5 test_axes_tile 5 test_batch 5 test_check_machine 4 test_sort_check_predict 4)

function(riffle_leaves_out name out)
  set(${out} OFF PARENT_SCOPE)
  if(RIFFLE_SANITIZE MATCHES address AND NOT RIFFLE_TEST_ALL AND name IN_LIST riffle_not_address)
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()
