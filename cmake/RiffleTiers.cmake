# SPDX-License-Identifier: Apache-2.0
#
# Tests that a tier leaves out, since what it would find there other tests find in that tier (docs/testing.md has the map). The plain
# tier has all, and so has every tier with RIFFLE_TEST_ALL, which check-long gives.
#
# Gives riffle_leaves_out(NAME OUT): whether this build leaves the test of that name out.

# Address sanitizer: these count what kernels access, for hours there. The machine itself looks at every address of a kernel. Its
# own memory, launch lists, lint's texts and the command's doors are looked at in the tests that stay: test_machine*, test_device,
# test_bucket_machine, test_affine_machine, test_views_machine, test_merge_machine, test_hull_machine, test_sort_own_machine, test_lint,
# cli_lint, cli_lint_programs, cli_simulate and the fuzzers' corpora. A compiler, which no sanitizer is in, takes most of lint's tests.
set(riffle_not_address test_simulate test_one_door test_addresses test_sort_machine test_axes_machine test_program_machine
  test_sort_rows_machine test_sort_segments_machine test_sort_accesses_machine test_hull_paper test_vat_costs
  cli_lint_documents cli_lint_widths cli_lint_rows cli_lint_lines cli_lint_copies cli_lint_outside cli_lint_idle cli_lint_calls
  cli_lint_advice cli_lint_action cli_lint_headers cli_congestion cli_rap_kernels cli_vat_measure bench_numbers)

# Long tests begin first: a run that ends with one leaves processors idle. Seconds on a busy machine of two processors, in the slowest tier.
set(riffle_seconds cli_lint 271 cli_lint_programs 266 cli_permute 138 documents 130 test_machine_hazards 121 test_once 118
  test_lint 115 cli_simulate 115 test_program_cpu 101 cli_rap_kernels 100 cli_lint_rows 99 python_package 98 cli_lint_calls 98
  cli_lint_advice 96 test_sort_rows_machine 96 stripped 94 cli_commands 86 cli_lint_widths 85 test_merge_machine 70
  cli_lint_copies 63 test_sort_words 61 test_hull_kernels 61 aarch64 80 compilers 59 python 58 test_sort_segments_machine 58
  test_perm_random 54 test_sort 54 test_one_door 54 cli_lint_documents 50)

function(riffle_leaves_out name out)
  set(${out} OFF PARENT_SCOPE)
  if(RIFFLE_SANITIZE MATCHES address AND NOT RIFFLE_TEST_ALL AND name IN_LIST riffle_not_address)
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()
