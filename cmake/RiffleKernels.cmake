# SPDX-License-Identifier: Apache-2.0
#
# kernel_files.h and hull_kernel_files.h include every kernel file: what nvcc and the memory machine compile
# (src/kernels/instances.h). Those of hulls nvcc compiles by themselves, and those of sorts have a list of their own
# (src/kernels/sort/instances.h).
#
# The fused kernels' texts are in the library too: with a user's operations they are compiled where they run.
#
# Gives: kernel_include, the folder that it lies in; kernel_headers, the files that compiled kernels depend on; and
# kernel_texts, a source for riffle_objects.
file(GLOB_RECURSE kernel_files RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/kernels/*.cu
  src/papers/kernels/*.cu)
set(hull_kernel_files ${kernel_files})
list(FILTER hull_kernel_files INCLUDE REGEX "^kernels/hull/")
list(FILTER kernel_files EXCLUDE REGEX "^kernels/(hull|sort)/")
set(kernel_include ${CMAKE_CURRENT_BINARY_DIR}/kernel_include)
foreach(name kernel_files hull_kernel_files)
  list(TRANSFORM ${name} REPLACE ".+" "#include \"\\0\"\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" includes)
  file(CONFIGURE OUTPUT ${kernel_include}/${name}.h CONTENT "${includes}")
endforeach()
file(GLOB_RECURSE kernel_headers CONFIGURE_DEPENDS src/kernels/* src/hull/*.h src/sort/*.h src/papers/kernels/*)
list(APPEND kernel_headers ${kernel_include}/kernel_files.h ${kernel_include}/hull_kernel_files.h)

set(kernel_text_files src/kernels/device.h src/kernels/fused/fused.h src/kernels/fused/fused_element.h
  src/kernels/fused/fused.cu)
list(TRANSFORM kernel_text_files PREPEND ${PROJECT_SOURCE_DIR}/)
set(kernel_texts ${CMAKE_CURRENT_BINARY_DIR}/kernel_texts.c)
add_custom_command(OUTPUT ${kernel_texts}
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${kernel_texts} -D HEADER=plan/fused/own_source.h
    -D ARRAY=fused_texts "-D FILES=${kernel_text_files}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
  DEPENDS ${kernel_text_files} cmake/EmbedText.cmake VERBATIM COMMENT "Embedding the fused kernels")
