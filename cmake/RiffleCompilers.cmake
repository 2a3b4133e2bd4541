# SPDX-License-Identifier: Apache-2.0
#
# The compilers that this project has met, by identity and major version. A version says nothing of its code, so in a build with
# RIFFLE_STRICT (make check) what they do say is an error. Others know warnings that nobody has read yet: they print them and go
# on. Add a compiler here once it is silent: Debian 12 has gcc 12, clang 14 and 19, Debian 13 gcc 14 and clang 19.
set(silent_compilers GNU-12 GNU-14 Clang-14 Clang-19)

option(RIFFLE_STRICT "take a warning for an error where cmake/RiffleCompilers.cmake lists the compiler" OFF)

# riffle_strict_warnings(TARGET): has what links TARGET stop at a warning, in each language whose compiler is listed.
function(riffle_strict_warnings target)
  foreach(language C CXX)
    string(REGEX MATCH "^[0-9]+" major "${CMAKE_${language}_COMPILER_VERSION}")
    set(compiler ${CMAKE_${language}_COMPILER_ID}-${major})
    if(compiler IN_LIST silent_compilers)
      target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:${language}>:-Werror>)
    else()
      message(STATUS "${compiler} is not listed in RiffleCompilers.cmake: its warnings are no errors")
    endif()
  endforeach()
endfunction()
