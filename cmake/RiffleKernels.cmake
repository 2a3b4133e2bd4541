# SPDX-License-Identifier: Apache-2.0
#
# kernel_files.h includes every kernel file: what nvcc and the memory machine compile (src/kernels/instances.h).
#
# Gives: kernel_include, the folder that it lies in, and kernel_headers, the files that compiled kernels depend on.
file(GLOB_RECURSE kernel_files RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/kernels/*.cu
  src/papers/kernels/*.cu)
list(TRANSFORM kernel_files REPLACE ".+" "#include \"\\0\"\n" OUTPUT_VARIABLE kernel_includes)
list(JOIN kernel_includes "" kernel_includes)
set(kernel_include ${CMAKE_CURRENT_BINARY_DIR}/kernel_include)
file(CONFIGURE OUTPUT ${kernel_include}/kernel_files.h CONTENT "${kernel_includes}")
file(GLOB_RECURSE kernel_headers CONFIGURE_DEPENDS src/kernels/* src/hull/*.h src/papers/kernels/*)
list(APPEND kernel_headers ${kernel_include}/kernel_files.h)
