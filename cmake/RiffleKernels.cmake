# SPDX-License-Identifier: Apache-2.0
#
# kernel_files.h and hull_kernel_files.h include every kernel file: what nvcc and the memory machine compile
# (src/kernels/instances.h). Those of hulls nvcc compiles by themselves, and those of sorts have a list of their own
# (src/kernels/sort/instances.h).
#
# The texts of fused kernels, and of sorts by a comparison, are in the library too: with what the user wrote they are compiled
# where they run.
#
# Gives: kernel_include, the folder that it lies in; kernel_headers, the files that compiled kernels depend on; and
# kernel_texts, sources for riffle_objects.
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

# riffle_embed_kernels(ARRAY HEADER FILE...): the files' texts as ARRAY, which HEADER declares.
set(kernel_texts)
function(riffle_embed_kernels array header)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/kernels/ OUTPUT_VARIABLE files)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${array}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D HEADER=${header} -D ARRAY=${array} "-D FILES=${files}"
      -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake VERBATIM COMMENT "Embedding ${array}")
  set(kernel_texts ${kernel_texts} ${output} PARENT_SCOPE)
endfunction()
riffle_embed_kernels(fused_texts plan/fused/own_source.h device.h fused/fused.h fused/fused_element.h fused/fused.cu)
riffle_embed_kernels(sort_own_texts engines/launch/sort_own_source.h device.h sort/sort_search.h
  sort/own/sort_own.h sort/own/sort_own.cu)
