# SPDX-License-Identifier: Apache-2.0
#
# The sources are compiled once, with hidden visibility. The shared library exports riffle_* by that alone.
# In the static one hidden names would still be visible to the linker, so its objects are first linked
# into one, in which the hidden names are made local.
file(GLOB library_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} src/base/*.c src/npy/*.c
  src/perm/*.c src/models/*.c src/plan/*.c src/engines/*.c src/engines/*.c src/engines/cpu/*.c)

add_library(riffle_objects OBJECT ${library_sources})
target_include_directories(riffle_objects PUBLIC include src)
target_link_libraries(riffle_objects PUBLIC riffle_options OpenMP::OpenMP_C Threads::Threads m)
set_target_properties(riffle_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)

set(public_include
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")

add_library(riffle_shared SHARED $<TARGET_OBJECTS:riffle_objects>)
add_library(riffle::riffle ALIAS riffle_shared)
target_include_directories(riffle_shared INTERFACE ${public_include})
target_link_libraries(riffle_shared PRIVATE riffle_options OpenMP::OpenMP_C Threads::Threads m)
set_target_properties(riffle_shared PROPERTIES OUTPUT_NAME riffle EXPORT_NAME riffle LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

set(one_object ${CMAKE_CURRENT_BINARY_DIR}/riffle_static.o)
add_custom_command(OUTPUT ${one_object}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${one_object} $<TARGET_OBJECTS:riffle_objects>
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${one_object}
  DEPENDS riffle_objects $<TARGET_OBJECTS:riffle_objects>
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking the objects of libriffle.a into one")
add_library(riffle_static STATIC ${one_object})
add_library(riffle::static ALIAS riffle_static)
target_include_directories(riffle_static INTERFACE ${public_include})
set_target_properties(riffle_static PROPERTIES OUTPUT_NAME riffle EXPORT_NAME static LINKER_LANGUAGE C)

# What a program that links libriffle.a must link besides, by name: the OpenMP runtime that it was compiled
# for, whatever language and OpenMP the program has itself.
set(static_needs ${OpenMP_C_LIB_NAMES} pthread m)
list(REMOVE_DUPLICATES static_needs)
target_link_libraries(riffle_static INTERFACE
  "$<BUILD_INTERFACE:OpenMP::OpenMP_C;Threads::Threads;m>" "$<INSTALL_INTERFACE:${static_needs}>")
if(RIFFLE_SANITIZE OR RIFFLE_FUZZ)
  target_link_libraries(riffle_static INTERFACE $<BUILD_INTERFACE:riffle_options>)
endif()
