# SPDX-License-Identifier: Apache-2.0
#
# Puts RIFFLE_SANITIZE into riffle_options, and the sanitizers' run-time settings and OpenMP's into the environment of
# every test of this build folder.
if(RIFFLE_SANITIZE)
  set(flags -fsanitize=${RIFFLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(riffle_options INTERFACE ${flags})
  target_compile_definitions(riffle_options INTERFACE RIFFLE_SANITIZED) # base/simd/unrolled.h
  target_link_options(riffle_options INTERFACE -fsanitize=${RIFFLE_SANITIZE})
  # Loops of these are copied for each type; at -O3 instrumented ones take a compiler half a minute a set (base/simd/numbers.h).
  file(GLOB line_sets ${PROJECT_SOURCE_DIR}/src/program/cpu/lines/lines_*.c)
  set_property(SOURCE ${line_sets} APPEND PROPERTY COMPILE_OPTIONS -O1)
endif()
if(RIFFLE_FUZZ)
  target_compile_options(riffle_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# A check's few cases run for less time than gcc takes to optimize code with the address sanitizer in it.
set(riffle_effortless OFF)
if(RIFFLE_SANITIZE MATCHES address AND NOT RIFFLE_FUZZ AND NOT RIFFLE_TEST_ALL)
  set(riffle_effortless ON)
endif()

# Tests of running out of memory want NULL back. LeakSanitizer keeps note of where a loaded object's thread-local
# variables are; gcc 14's crashes where they are gone (tests/unloads.c), so it is to keep none. A race between two
# instrumented accesses is reported wherever it is; the OpenMP runtime's own are not looked at (Archer tells TSan what
# the runtime orders).
#
# Threads that wait sleep: ctest runs tests side by side, and OpenMP's would spin on the processors that the others need
# (test_copy_strided took 21 s on a busy machine, and 2 s so). Tests keep in the build what users' programs keep in their caches.
file(WRITE ${PROJECT_BINARY_DIR}/sanitizer_environment.cmake [[
set(ENV{ASAN_OPTIONS} "allocator_may_return_null=1:detect_stack_use_after_return=1:intercept_tls_get_addr=0")
set(ENV{UBSAN_OPTIONS} "print_stacktrace=1")
set(ENV{TSAN_OPTIONS} "ignore_noninstrumented_modules=1:allocator_may_return_null=1:second_deadlock_stack=1")
if(NOT DEFINED ENV{OMP_WAIT_POLICY})
  set(ENV{OMP_WAIT_POLICY} passive)
endif()
]])
file(APPEND ${PROJECT_BINARY_DIR}/sanitizer_environment.cmake "set(ENV{XDG_CACHE_HOME} \"${PROJECT_BINARY_DIR}/cache\")\n")
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY TEST_INCLUDE_FILES
  ${PROJECT_BINARY_DIR}/sanitizer_environment.cmake)
