# SPDX-License-Identifier: Apache-2.0
#
# Sources that a tier has for its compiler's warnings alone, since no test of it runs them: clang parses them, and makes no code. The
# thread sanitizer's tests run neither the command nor riffle-bench (tests/cli/CMakeLists.txt).
#
# Gives: riffle_look(TARGET), for an object library; and for these programs
# riffle_program(TARGET SOURCE...) and riffle_program_parts(TARGET SOURCE...), an executable and a static library, or object libraries looked at.
set(riffle_looks OFF)
if(RIFFLE_SANITIZE MATCHES thread AND CMAKE_C_COMPILER_ID MATCHES Clang AND NOT RIFFLE_TEST_ALL)
  set(riffle_looks ON)
endif()

function(riffle_look target)
  set_target_properties(${target} PROPERTIES
    C_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/look.sh CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/look.sh)
endfunction()

function(riffle_program target)
  if(riffle_looks)
    add_library(${target} OBJECT ${ARGN})
    riffle_look(${target})
  else()
    add_executable(${target} ${ARGN})
  endif()
endfunction()

function(riffle_program_parts target)
  if(riffle_looks)
    add_library(${target} OBJECT ${ARGN})
    riffle_look(${target})
  else()
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${ARGN})
  endif()
endfunction()
