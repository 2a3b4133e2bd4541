# SPDX-License-Identifier: Apache-2.0
#
# The sources are compiled once, with hidden visibility, for three libraries:
#
#     libriffle            all C files of src/ but the next two's
#     libriffle-machine    machine/ and src/device/machine/, and the kernels compiled for it
#     libriffle-cuda       src/device/cuda/, src/device/nvrtc/, src/move/cuda/table/ and planner/, and the kernels for GPUs
#
# The shared libriffle exports riffle_* by its visibility alone. In the static one hidden names would still be visible to the linker,
# so its objects are first linked into one, in which the hidden names are made local. It loads the other two as well
# (src/base/library.h). They export one symbol each, and are linked from their own objects and those of a few files that know
# nothing of plans: what else they would need of libriffle is missing when they are linked.
file(GLOB_RECURSE library_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS src/*.c)
file(GLOB_RECURSE source_files RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS src/* machine/* mpi/* include/*)
list(FILTER library_sources EXCLUDE REGEX "^src/device/(cuda|nvrtc|machine)/|^src/move/cuda/(table|planner)/")

set(build_id ${CMAKE_CURRENT_BINARY_DIR}/build_id.c)
add_custom_command(OUTPUT ${build_id}
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${build_id} -D VERSION=${PROJECT_VERSION} -D ROOT=${PROJECT_SOURCE_DIR} "-D FILES=${source_files}"
    -P ${PROJECT_SOURCE_DIR}/cmake/BuildId.cmake
  DEPENDS ${source_files} cmake/BuildId.cmake VERBATIM COMMENT "Naming the build")

# riffle_objects_of(TARGET SOURCE...): compiled for a library.
function(riffle_objects_of target)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PUBLIC include src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC riffle_options OpenMP::OpenMP_C Threads::Threads m ${CMAKE_DL_LIBS})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
endfunction()
riffle_objects_of(riffle_objects ${library_sources} ${kernel_records} ${kernel_texts} ${build_id})
# libriffle-mpi has the build's name, too.
riffle_objects_of(riffle_build_id ${build_id})
add_dependencies(riffle_build_id riffle_objects)
riffle_objects_of(riffle_machine_objects ${machine_sources})
riffle_objects_of(riffle_cuda_objects ${cuda_sources})
if(riffle_has_cuda)
  target_include_directories(riffle_cuda_objects SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
endif()
# Stages of programs, and sums of rows, give the same bytes with every set of vector instructions: none multiplies and adds in one rounding.
file(GLOB line_sets ${PROJECT_SOURCE_DIR}/src/program/cpu/lines/lines_*.c)
set_property(SOURCE ${line_sets} src/group/cpu/ungroup.c APPEND PROPERTY COMPILE_OPTIONS -ffp-contract=off)
# Rooms that plan, read texts and list launches move no arrays: -O3 would copy their loops, for a fourth more code. (A call's own way, move/door
# and device, takes 2 ns longer so.) Rooms that only say something, or list launches and what these cost, are small: another fourth. Few
# processors run the sets of SSSE3 and of any processor: these are by -O2, or small. Loops of AVX2 in the caches took up to a tenth longer by -O2,
# and tiles of AVX-512 up to 2.4 times: their loops over registers are unrolled by -O3 alone.
if(PROJECT_IS_TOP_LEVEL)
  set(planning_sources ${library_sources})
  list(FILTER planning_sources INCLUDE REGEX
    "^src/(bits/gpu|exchange|group/(gpu|predict)|histogram/(gpu|predict)|hull|models|move/(cuda|gpu|passes|predict|simulate)|npy|papers|plan|program|sort|perm/spec)/")
  list(FILTER planning_sources EXCLUDE REGEX "/cpu/")
  set(small_sources ${library_sources})
  list(FILTER small_sources INCLUDE REGEX
    "^src/((bits|group|histogram|hull|move|program|sort)/(gpu|predict)|exchange|models|multigpu|move/(cuda|simulate)|npy|plan/explain|program/(fused|text)|perm/spec)/")
  list(APPEND small_sources src/program/cpu/lines/lines_portable.c src/bits/cpu/loops_portable.c)
  file(GLOB rare_sources RELATIVE ${PROJECT_SOURCE_DIR} src/move/cpu/passes/*/*_ssse3.c)
  if(NOT RIFFLE_SANITIZE)
    set_property(SOURCE ${planning_sources} ${rare_sources} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:RelWithDebInfo,Release>:-O2>)
    set_property(SOURCE ${small_sources} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:RelWithDebInfo,Release>:-Os>)
    # Nothing is thrown through C, and debuggers find frames by -g.
    target_compile_options(riffle_objects PRIVATE -fno-asynchronous-unwind-tables)
  elseif(riffle_effortless OR RIFFLE_SANITIZE MATCHES thread AND NOT RIFFLE_TEST_ALL)
    # A compiler has to see these, and optimizing them with their checks takes it longer than the tests run. The memory machine's switch of
    # stacks cannot be without, and exact arithmetic of hulls takes the address sanitizer's tests longer.
    if(riffle_effortless)
      list(FILTER planning_sources EXCLUDE REGEX "^src/hull/")
    endif()
    set_property(SOURCE ${planning_sources} APPEND PROPERTY COMPILE_OPTIONS -O0)
    # Nor tiles by vector instructions, half of whose compilation that was. (gcc has warnings of AVX-512's masks without optimization.)
    file(GLOB called_sets src/move/cpu/passes/affine_lines/*.c src/move/cpu/passes/tile_kernels/*.c)
    list(FILTER called_sets INCLUDE REGEX "/affine_lines_(avx|ssse3|neon|portable)|/tile_kernels_(avx2|ssse3|portable)")
    set_property(SOURCE ${called_sets} APPEND PROPERTY COMPILE_OPTIONS -O0)
    # Nor what no test of the thread sanitizer runs of the machine.
    if(NOT riffle_effortless)
      set(idle_sources ${machine_sources})
      list(FILTER idle_sources INCLUDE REGEX "^machine/(lint|report|trace|vat)/")
      set_property(SOURCE ${idle_sources} APPEND PROPERTY COMPILE_OPTIONS -O0)
    endif()
  endif()
endif()

set(public_include
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")

# Made beside the objects: kernels for the memory machine, kernels for GPUs.
set(made_objects ${machine_objects} ${cuda_objects})
set_source_files_properties(${made_objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
# One target makes them, before those that link them: else a parallel make would make them once for each.
add_custom_target(riffle_made_objects DEPENDS ${made_objects})

# riffle_module(TARGET NAME OBJECTS MADE...): a library that libriffle loads, from its C files' objects and those made.
set(below "/src/(base|npy)/|/src/device/launch|/src/plan/bucket/shape|/build_id")
add_library(riffle_below STATIC EXCLUDE_FROM_ALL "$<FILTER:$<TARGET_OBJECTS:riffle_objects>,INCLUDE,${below}>")
set_target_properties(riffle_below PROPERTIES LINKER_LANGUAGE C)
function(riffle_module target name objects)
  add_library(${target} MODULE $<TARGET_OBJECTS:${objects}> ${ARGN})
  add_dependencies(${target} riffle_made_objects)
  target_link_libraries(${target} PRIVATE riffle_below riffle_options Threads::Threads m ${CMAKE_DL_LIBS})
  set(file libriffle-${name}.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL LINKER:-soname,${file})
  if(NOT RIFFLE_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" LINKER_LANGUAGE C
    OUTPUT_NAME libriffle-${name} SUFFIX .so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} EXPORT_NAME ${name})
endfunction()
riffle_module(riffle_machine machine riffle_machine_objects ${machine_objects})
# A kernel's lines are part of what the machine says, so they are installed too, and packages but riffle-lint's keep them. A build with
# tests has them as they are: to unpack them took each `riffle simulate` 30 ms of 50.
include(CheckLinkerFlag)
check_linker_flag(C LINKER:--compress-debug-sections=zlib compresses_debug_sections)
if(compresses_debug_sections AND NOT RIFFLE_TESTS)
  target_link_options(riffle_machine PRIVATE LINKER:--compress-debug-sections=zlib)
endif()
set(riffle_modules riffle_machine)
if(riffle_has_cuda)
  riffle_module(riffle_cuda cuda riffle_cuda_objects ${cuda_objects})
  target_link_libraries(riffle_cuda PRIVATE ${cuda_archive})
  list(APPEND riffle_modules riffle_cuda)
endif()

# For tests, which see the internals too. A program that links riffle_machine_linked as well has the memory machine in it, and loads
# none; riffle_cuda_linked is the same for GPUs.
add_library(riffle_internals STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:riffle_objects> $<TARGET_OBJECTS:riffle_machine_objects>
  $<TARGET_OBJECTS:riffle_cuda_objects> ${made_objects})
target_include_directories(riffle_internals INTERFACE include src ${PROJECT_SOURCE_DIR})
target_link_libraries(riffle_internals INTERFACE riffle_options OpenMP::OpenMP_C Threads::Threads m
  ${CMAKE_DL_LIBS} ${cuda_archive})
set_target_properties(riffle_internals PROPERTIES LINKER_LANGUAGE C)
add_dependencies(riffle_internals riffle_made_objects)
foreach(name machine cuda)
  add_library(riffle_${name}_linked INTERFACE)
  target_link_options(riffle_${name}_linked INTERFACE LINKER:-u,riffle_${name}_library)
endforeach()

add_library(riffle_shared SHARED $<TARGET_OBJECTS:riffle_objects>)
add_library(riffle::riffle ALIAS riffle_shared)
target_include_directories(riffle_shared INTERFACE ${public_include})
target_link_libraries(riffle_shared PRIVATE riffle_options OpenMP::OpenMP_C Threads::Threads m ${CMAKE_DL_LIBS})
# Minor versions may break programs while the major version is 0 (riffle.h), so the soname has both.
set_target_properties(riffle_shared PROPERTIES OUTPUT_NAME riffle EXPORT_NAME riffle LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(one_object ${CMAKE_CURRENT_BINARY_DIR}/riffle_static.o)
add_custom_command(OUTPUT ${one_object}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${one_object} $<TARGET_OBJECTS:riffle_objects> -Wl,--force-group-allocation
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${one_object}
  DEPENDS riffle_objects $<TARGET_OBJECTS:riffle_objects>
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking the objects of libriffle.a into one")
add_library(riffle_static STATIC ${one_object})
add_library(riffle::static ALIAS riffle_static)
target_include_directories(riffle_static INTERFACE ${public_include})
set_target_properties(riffle_static PROPERTIES OUTPUT_NAME riffle EXPORT_NAME static LINKER_LANGUAGE C)
# Who links it loads the two from the build folder.
add_dependencies(riffle_shared ${riffle_modules})
add_dependencies(riffle_static ${riffle_modules})

# A program that links libriffle.a must link these besides, by name: the OpenMP runtime that it was compiled for, whatever
# language and OpenMP the program has itself.
set(static_needs ${OpenMP_C_LIB_NAMES} pthread m ${CMAKE_DL_LIBS})
list(REMOVE_DUPLICATES static_needs)
target_link_libraries(riffle_static INTERFACE
  "$<BUILD_INTERFACE:OpenMP::OpenMP_C;Threads::Threads;m;${CMAKE_DL_LIBS}>" "$<INSTALL_INTERFACE:${static_needs}>")
if(RIFFLE_SANITIZE OR RIFFLE_FUZZ)
  target_link_libraries(riffle_static INTERFACE $<BUILD_INTERFACE:riffle_options>)
endif()
