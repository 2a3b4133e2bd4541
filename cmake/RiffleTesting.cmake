# SPDX-License-Identifier: Apache-2.0
#
# The tests' needs beside the library. Whatever is missing costs only the tests that need it, with a line at configure time;
# packaging/bootstrap.sh installs it all.
find_path(CMOCKA_INCLUDE cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
find_path(FFTW3_INCLUDE fftw3.h)
find_library(FFTW3_LIBRARY fftw3)

# A Python that has NumPy: Debian's own is asked first, because others on PATH seldom have it.
if(NOT RIFFLE_PYTHON)
  foreach(candidate /usr/bin/python3 python3)
    execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
    if(NOT missing)
      set(RIFFLE_PYTHON ${candidate} CACHE STRING "a Python interpreter that can import numpy")
      break()
    endif()
  endforeach()
endif()

# Hundreds of tests are linked with all of the library and its lines: LLVM's linker takes a third of the time of GNU's. Installed libraries
# and the command are linked as a compiler does by itself.
set(riffle_test_linker)
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=lld riffle_has_lld)
if(riffle_has_lld AND NOT RIFFLE_FUZZ)
  set(riffle_test_linker -fuse-ld=lld)
endif()

set(riffle_test_effort -O1)
if(riffle_effortless)
  set(riffle_test_effort -O0)
endif()

if(RIFFLE_TIER)
  set(tier "${RIFFLE_TIER}.")
endif()

include(RiffleTiers)

# riffle_test(NAME COMMAND...): a test whose name says its tier, unless the tier leaves it out.
function(riffle_test name)
  riffle_leaves_out(${name} out)
  if(out)
    return()
  endif()
  add_test(NAME ${tier}${name} COMMAND ${ARGN})
  list(FIND riffle_seconds ${name} at)
  if(at GREATER_EQUAL 0)
    math(EXPR at "${at} + 1")
    list(GET riffle_seconds ${at} seconds)
    set_tests_properties(${tier}${name} PROPERTIES COST ${seconds})
  endif()
endfunction()
