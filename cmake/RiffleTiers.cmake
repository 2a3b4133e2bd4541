# SPDX-License-Identifier: Apache-2.0
#
# Tests that a tier leaves out, since what it would find there other tests find in that tier (docs/testing.md has the map). The plain
# tier has all, and so has every tier with RIFFLE_TEST_ALL, which check-long gives.
#
# Gives riffle_leaves_out(NAME OUT): whether this build leaves the test of that name out.

# Address sanitizer: these count what kernels access, for hours there. The machine itself looks at every address of a kernel. Its
# own memory, launch lists, predictions, lint's texts and the command's doors are looked at in the tests that stay: test_machine*, test_device,
# test_forecast, test_predict, test_sort_predict, cli_explain, test_bucket_machine, test_affine_machine, test_views_machine, test_merge_machine, test_hull_machine, test_sort_own_machine, test_lint,
# cli_lint, cli_lint_blocks, cli_simulate and the fuzzers' corpora. A compiler, which no sanitizer is in, takes most of lint's tests. Tests of
# the last line enter no function that this tier's other tests do not: clang's coverage of each says so.
set(riffle_not_address test_simulate test_one_door test_every_prediction test_addresses test_sort_machine test_axes_machine test_program_machine
  test_sort_rows_machine test_sort_segments_machine test_sort_accesses_machine test_hull_paper test_vat_costs
  test_hull_predict test_group_predict test_sort_predict_levels test_sort_predict_tasks
  cli_lint_documents cli_lint_widths cli_lint_rows cli_lint_lines cli_lint_copies cli_lint_outside cli_lint_idle cli_lint_calls
  cli_lint_advice cli_lint_action cli_lint_headers cli_congestion cli_rap_kernels cli_vat_measure bench_numbers
  cli_lint_programs test_affine_factor test_bmmc test_check_vectors test_measured test_rap test_team test_thread_pool test_threads test_translation)

# Thread sanitizer: no second thread runs in these, by count of OpenMP's regions and the system's threads that each test starts: the memory machine,
# predictions, texts, exact arithmetic, heaps. In the last line threads do what they do in tests that stay (test_perm_recognize, test_scheduled, test_hmm).
# Examples are left out too. test_null stays, since clang finds NULL + 0.
set(riffle_not_thread test_addresses test_affine_factor test_affine_lines test_affine_tile test_arithmetic test_axes_box test_bits_device test_cache_folder
  test_compile test_copy test_device test_device_choice test_exchange test_exchange_cost test_exchange_own test_f2_machine test_folder
  test_forecast test_fused_policy test_gf2_cyclic test_gf2_span test_hull_big test_hull_heap test_hull_heap_doubles test_hull_paper test_hull_predicates
  test_hull_sequential test_hull_sieve test_involution test_io_bounds test_kernel_patterns test_line_reads test_locks test_memory test_multigpu
  test_names test_npy_header test_nvrtc test_once test_one_door test_one_use test_overlap test_perm test_perm_random test_program test_reverse_run
  test_rows test_simulate test_sort_comparison test_sort_key test_sort_short test_sort_short_memory test_spec test_streaming test_streams test_strided
  test_translation test_vectors
  test_bucket_tile test_edge_colouring test_explain_as test_explain_work test_measured)

# Long tests begin first: a run that ends with one leaves processors idle. Seconds by `tests/times.py order`, of a check on two busy processors
# (Emerald Rapids), three tests at once, in the slowest tier; what waits for a test's end counts as its own.
set(riffle_seconds python_package 238 python 176 cli_lint_programs 161 cli_mpi 161 test_sorted_machine 145 cli_lint 87 test_hull_predict
  64 test_group_predict 54 cli_lint_sampled 51 cli_explain 49 cli_lint_blocks 48 cli_lint_headers 48 cli_permute 48 test_one_door 48 cli_lint_mcp 42
  cli_simulate 42 test_lint 39 cli_vat_measure 37 cli_lint_rows 36 test_sort_predict_tasks 36 aarch64 33 cli_lint_bounds 33 cli_rap_kernels 32 test_nvrtc 30
  documents 28 cli_in_place 27 test_hull_kernels 26 test_sort_words 26 cli_lint_widths 25 test_once 24 test_sort_predict 24 test_axes_tile 23
  cli_commands 22 cli_lint_architecture 21 test_group_machine 21 test_program_cpu 21 test_program_machine 21 test_sort_machine 21 bench_numbers 20
  cli_lint_wgmma 19 test_check_predict 19 test_hull 19 test_machine_hazards 19 cli_congestion 17 cli_sort 17 cli_lint_copies 16 cli_lint_documents 16
  test_sort_check_predict 16 test_vector_sets 16 cli_lint_libraries 15 test_bits_plan 15 test_check_machine 15 test_machine 15 test_plan 15
  test_sort_own_machine 15 cli_bad_input 14 test_axes_machine 14 test_batch 14 test_one_use 14 test_program 14 test_select_machine 14 test_simulate 14
  test_sort_segments_machine 14 bench_suites 13 cli_lint_for_all 13 cli_run 13 cli_vat 13 test_group 13 test_merge_machine 13 test_sort_join_machine
  13 test_transpose_in_place 13 test_vat_costs 13 cli_lint_idle 12 cli_lint_lines 12 papers_items 12 test_check_passes 12 test_hull_machine 12
  test_perm 12 test_spread 12 compilers 11 test_addresses 11 test_indices 11 test_perm_random 11 cli_lint_bulk 10 fuzz_program 10 test_bucket 10
  test_bucket_tile 10 test_partition_machine 10 test_passes_machine 10 test_rows 10 cli_lint_calls 9 cli_lint_outside 9 mpi_moves_16 9
  test_every_prediction 9 test_exchange 9 test_reverse_ends 9 cli_bitshuffle 8 cli_hull 8 cli_lint_advice 8 cli_lint_clusters 8 test_affine_machine 8
  test_copy_strided 8 test_predict 8 test_sort_rows_machine 8 test_sorted 8 test_team 8)

function(riffle_leaves_out name out)
  set(${out} OFF PARENT_SCOPE)
  if(RIFFLE_TEST_ALL)
    return()
  endif()
  if(RIFFLE_SANITIZE MATCHES address AND name IN_LIST riffle_not_address)
    set(${out} ON PARENT_SCOPE)
  elseif(RIFFLE_SANITIZE MATCHES thread AND (name IN_LIST riffle_not_thread OR name MATCHES "^example_|_machine$|predict"))
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()
