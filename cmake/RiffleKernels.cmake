# SPDX-License-Identifier: Apache-2.0
#
# Families of kernels (src/device/families.h): for each one a .cu that nvcc compiles, a .cpp that the memory machine does,
# and its records, made of device/cuda/family.cu.in, device/family.cpp.in and device/records.c.in. A family's kernels are the .cu files of its folder, list.h beside them, and of the folders inside that its line names.
#
# The texts of fused kernels, and of sorts by a comparison, are in the library too: with what the user wrote they are compiled
# where they run.
#
# Gives: kernel_include, the folder that they lie in; kernel_families, their names; kernel_records, sources for riffle_objects; kernel_headers, what compiled kernels
# depend on; and kernel_texts, sources for riffle_objects.
set(kernel_include ${CMAKE_CURRENT_BINARY_DIR}/kernel_include)
file(GLOB_RECURSE kernel_headers CONFIGURE_DEPENDS src/device/kernels/* src/*/kernels/* src/papers/hull/kernels/* src/hull/*.h src/sort/key*.h src/group/number.h)
set(kernel_families)
set(kernel_records)

# riffle_kernel_family(NAME LIST FILE...): makes the family's two files.
function(riffle_kernel_family family family_list)
  list(TRANSFORM ARGN REPLACE ".+" "#include \"\\0\"\n" OUTPUT_VARIABLE family_includes)
  list(JOIN family_includes "" family_includes)
  configure_file(src/device/cuda/family.cu.in ${kernel_include}/${family}.cu @ONLY)
  configure_file(src/device/family.cpp.in ${kernel_include}/${family}.cpp @ONLY)
  configure_file(src/device/records.c.in ${kernel_include}/${family}_records.c @ONLY)
  set(kernel_records ${kernel_records} ${kernel_include}/${family}_records.c PARENT_SCOPE)
  set(kernel_families ${kernel_families} ${family} PARENT_SCOPE)
endfunction()
function(riffle_room_family family folder)
  list(TRANSFORM ARGN PREPEND src/${folder}/)
  list(TRANSFORM ARGN APPEND /*.cu)
  file(GLOB kernels RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/${folder}/*.cu ${ARGN})
  riffle_kernel_family(${family} ${folder}/list.h ${kernels})
  set(kernel_families ${kernel_families} PARENT_SCOPE)
  set(kernel_records ${kernel_records} PARENT_SCOPE)
endfunction()
file(GLOB_RECURSE move_kernels RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/move/kernels/*.cu src/papers/kernels/*.cu)
list(FILTER move_kernels EXCLUDE REGEX "^move/kernels/once/")
riffle_kernel_family(move move/kernels/list.h ${move_kernels})
riffle_room_family(once move/kernels/once)
riffle_room_family(program program/kernels)
riffle_room_family(hull hull/kernels)
riffle_room_family(sort sort/kernels levels leaves codes select)
riffle_room_family(merge sort/kernels/merge)
riffle_room_family(histogram histogram/kernels)
riffle_room_family(group group/kernels)
riffle_room_family(check check/kernels)
riffle_room_family(bits bits/kernels)
riffle_room_family(f2 f2/kernels)

# riffle_embed_kernels(ARRAY HEADER FILE...): the files' texts as ARRAY, which HEADER declares.
set(kernel_texts)
function(riffle_embed_kernels array header)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE files)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${array}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D HEADER=${header} -D ARRAY=${array} "-D FILES=${files}"
      -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake VERBATIM COMMENT "Embedding ${array}")
  set(kernel_texts ${kernel_texts} ${output} PARENT_SCOPE)
endfunction()
riffle_embed_kernels(fused_texts program/fused/own_source.h device/kernels/device.h program/kernels/fused.h
  program/kernels/fused_element.h program/kernels/fused_held.h program/kernels/fused_exchange.h program/kernels/fused_stages.h
  program/kernels/fused_groups.h program/kernels/fused.cu)
riffle_embed_kernels(sort_own_texts sort/gpu/own_source.h device/kernels/device.h sort/kernels/sort_search.h
  sort/kernels/sort_own.h sort/kernels/own/sort_own.cu)
