# SPDX-License-Identifier: Apache-2.0
#
# ccache compiles, where it is installed and nobody has named another launcher. Kernels for the memory machine have the same flags in
# every tier of one compiler, so the second tier finds them; hence no working folder in the hash, which each build folder has its own of.
# env starts in 2 ms, `cmake -E env` in 12, and there are 900 files.
option(RIFFLE_CCACHE "compile with ccache where it is installed" ON)
find_program(CCACHE ccache)
if(RIFFLE_CCACHE AND CCACHE AND PROJECT_IS_TOP_LEVEL)
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER env CCACHE_NOHASHDIR=1 ${CCACHE})
    endif()
  endforeach()
  set(riffle_cuda_launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
