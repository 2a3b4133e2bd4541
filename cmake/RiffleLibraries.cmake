# SPDX-License-Identifier: Apache-2.0
#
# The sources are compiled once, with hidden visibility. The shared library exports riffle_* by that alone.
# In the static one hidden names would still be visible to the linker, so its objects are first linked
# into one, in which the hidden names are made local.
#
# They are all C files of src/ and machine/, but for those that RiffleCuda and RiffleMachine choose.
file(GLOB_RECURSE library_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS src/*.c machine/*.c)
list(FILTER library_sources EXCLUDE REGEX "^src/(move|device)/cuda/|/source_line[a-z_]*\\.c$|^src/papers/dmm/")
list(APPEND library_sources ${kernel_records} ${kernel_texts} ${machine_sources} ${cuda_sources})

add_library(riffle_objects OBJECT ${library_sources})
target_include_directories(riffle_objects PUBLIC include src ${PROJECT_SOURCE_DIR})
target_link_libraries(riffle_objects PUBLIC riffle_options OpenMP::OpenMP_C Threads::Threads m ${CMAKE_DL_LIBS})
if(riffle_has_cuda)
  target_include_directories(riffle_objects SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
endif()
set_target_properties(riffle_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)

set(public_include
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")

# Made beside riffle_objects: kernels for the memory machine, kernels for GPUs.
set(made_objects ${machine_objects} ${cuda_objects})
set_source_files_properties(${made_objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
# One target makes them, before those that link them: else a parallel make would make them once for each.
add_custom_target(riffle_made_objects DEPENDS ${made_objects})

# For tests, which see the internals too.
add_library(riffle_internals STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:riffle_objects> ${made_objects})
target_include_directories(riffle_internals INTERFACE include src ${PROJECT_SOURCE_DIR})
target_link_libraries(riffle_internals INTERFACE riffle_options OpenMP::OpenMP_C Threads::Threads m
  ${CMAKE_DL_LIBS} ${cuda_archive})
set_target_properties(riffle_internals PROPERTIES LINKER_LANGUAGE C)
add_dependencies(riffle_internals riffle_made_objects)

add_library(riffle_shared SHARED $<TARGET_OBJECTS:riffle_objects> ${made_objects})
add_library(riffle::riffle ALIAS riffle_shared)
add_dependencies(riffle_shared riffle_made_objects)
target_include_directories(riffle_shared INTERFACE ${public_include})
target_link_libraries(riffle_shared PRIVATE riffle_options OpenMP::OpenMP_C Threads::Threads m
  ${CMAKE_DL_LIBS} ${cuda_archive})
# Minor versions may break programs while the major version is 0 (riffle.h), so the soname has both.
set_target_properties(riffle_shared PROPERTIES OUTPUT_NAME riffle EXPORT_NAME riffle LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(one_object ${CMAKE_CURRENT_BINARY_DIR}/riffle_static.o)
add_custom_command(OUTPUT ${one_object}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${one_object} $<TARGET_OBJECTS:riffle_objects>
    ${made_objects} ${cuda_archive} -Wl,--force-group-allocation
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${one_object}
  DEPENDS riffle_objects $<TARGET_OBJECTS:riffle_objects> ${made_objects}
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking the objects of libriffle.a into one")
add_library(riffle_static STATIC ${one_object})
add_library(riffle::static ALIAS riffle_static)
add_dependencies(riffle_static riffle_made_objects)
target_include_directories(riffle_static INTERFACE ${public_include})
set_target_properties(riffle_static PROPERTIES OUTPUT_NAME riffle EXPORT_NAME static LINKER_LANGUAGE C)

# A program that links libriffle.a must link these besides, by name: the OpenMP runtime that it was compiled for, whatever
# language and OpenMP the program has itself.
set(static_needs ${OpenMP_C_LIB_NAMES} pthread m ${CMAKE_DL_LIBS})
list(REMOVE_DUPLICATES static_needs)
target_link_libraries(riffle_static INTERFACE
  "$<BUILD_INTERFACE:OpenMP::OpenMP_C;Threads::Threads;m;${CMAKE_DL_LIBS}>" "$<INSTALL_INTERFACE:${static_needs}>")
if(RIFFLE_SANITIZE OR RIFFLE_FUZZ)
  target_link_libraries(riffle_static INTERFACE $<BUILD_INTERFACE:riffle_options>)
endif()
