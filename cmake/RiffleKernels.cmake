# SPDX-License-Identifier: Apache-2.0
#
# Families of kernels (src/device/families.h): for each one a .cu that nvcc compiles and a .cpp that the memory machine does,
# made of device/cuda/family.cu.in and device/family.cpp.in. A family's kernels are the .cu files of its folder.
#
# The texts of fused kernels, and of sorts by a comparison, are in the library too: with what the user wrote they are compiled
# where they run.
#
# Gives: kernel_include, the folder that they lie in; kernel_families, their names; kernel_headers, what compiled kernels
# depend on; and kernel_texts, sources for riffle_objects.
set(kernel_include ${CMAKE_CURRENT_BINARY_DIR}/kernel_include)
file(GLOB_RECURSE kernel_headers CONFIGURE_DEPENDS src/kernels/* src/hull/*.h src/sort/*.h src/papers/kernels/*)
set(kernel_families)

# riffle_kernel_family(NAME LIST FILE...): makes the family's two files.
function(riffle_kernel_family family family_list)
  list(TRANSFORM ARGN REPLACE ".+" "#include \"\\0\"\n" OUTPUT_VARIABLE family_includes)
  list(JOIN family_includes "" family_includes)
  configure_file(src/device/cuda/family.cu.in ${kernel_include}/${family}.cu @ONLY)
  configure_file(src/device/family.cpp.in ${kernel_include}/${family}.cpp @ONLY)
  set(kernel_families ${kernel_families} ${family} PARENT_SCOPE)
endfunction()
file(GLOB_RECURSE move_kernels RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/kernels/*.cu src/papers/kernels/*.cu)
list(FILTER move_kernels EXCLUDE REGEX "^kernels/(hull|sort)/")
file(GLOB hull_kernels RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/kernels/hull/*.cu)
file(GLOB sort_kernels RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/kernels/sort/*.cu)
file(GLOB merge_kernels RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/kernels/sort/merge/*.cu)
riffle_kernel_family(move kernels/list.h ${move_kernels})
riffle_kernel_family(hull kernels/hull/list.h ${hull_kernels})
riffle_kernel_family(sort kernels/sort/list.h ${sort_kernels})
riffle_kernel_family(merge kernels/sort/merge/list.h ${merge_kernels})

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
