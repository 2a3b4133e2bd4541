# SPDX-License-Identifier: Apache-2.0
#
# The memory machine: kernels compiled so that every access calls a hook, the machine's sources, and the texts of the
# headers that `riffle lint` compiles a user's kernels with.
#
# Gives: machine_sources and machine_objects, what libriffle-machine is made of, and
# riffle_machine_kernels(NAME SOURCE OUTPUT) and kernel_options, for tests that bring kernels of their own.

# A kernel's flags: an access of the source is one call of a hook, on the line where it stands (-g1 has the lines). Where _FORTIFY_SOURCE is a
# compiler's default (Ubuntu), bcopy would become a call that is a hook.
set(kernel_options -U_FORTIFY_SOURCE -fno-exceptions -fno-rtti -fno-threadsafe-statics -O1 -g1 -fsanitize=thread -fno-builtin -fno-unroll-loops -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND kernel_options -fno-vectorize -fno-slp-vectorize -fsanitize-coverage=trace-pc,no-prune
    "SHELL:-mllvm -tsan-instrument-read-before-write=1" "SHELL:-mllvm -sink-common-insts=false"
    "SHELL:-mllvm -simplifycfg-merge-cond-stores=false" "SHELL:-mllvm -enable-tail-merge=false")
else()
  list(APPEND kernel_options -fsanitize-coverage=trace-pc -fno-tree-vectorize -fno-store-merging -fno-peel-loops
    -fno-tree-loop-distribute-patterns -fno-crossjumping -fno-tree-tail-merge)
endif()

# riffle_machine_kernels(NAME SOURCE OUTPUT): compiles kernels into the object OUTPUT. The compiler's thread sanitizer
# puts the hooks in; renaming them makes them the machine's, so that they never meet the real sanitizer's library.
function(riffle_machine_kernels name source output)
  add_library(${name} OBJECT ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE riffle_warnings)
  target_compile_options(${name} PRIVATE ${kernel_options})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
    CXX_VISIBILITY_PRESET hidden)
  set(hooks ${PROJECT_SOURCE_DIR}/machine/device/hooks.syms)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${hooks} $<TARGET_OBJECTS:${name}> ${output}
    DEPENDS ${name} $<TARGET_OBJECTS:${name}> ${hooks}
    COMMAND_EXPAND_LISTS VERBATIM COMMENT "Giving the hooks of ${name} to the memory machine")
endfunction()

# No sanitizer is in kernels, so a tier may take those of another build, which cost a compiler more than all else that a tier has. Where
# another compiler made those this one looks at their sources.
set(RIFFLE_KERNELS_FROM "" CACHE PATH "another build's folder, whose kernels for the memory machine are taken")
set(kernels_of_others OFF)
if(RIFFLE_KERNELS_FROM)
  load_cache(${RIFFLE_KERNELS_FROM} READ_WITH_PREFIX from_ CMAKE_CXX_COMPILER)
  file(REAL_PATH ${CMAKE_CXX_COMPILER} compiler_here)
  file(REAL_PATH "${from_CMAKE_CXX_COMPILER}" compiler_there)
  if(NOT compiler_here STREQUAL compiler_there)
    set(kernels_of_others ON)
  endif()
endif()
function(riffle_look_at_kernels name source)
  add_library(${name} OBJECT ${source})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE riffle_warnings)
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
  riffle_look(${name})
endfunction()

set(machine_objects)
foreach(name ${kernel_families} hull_steps)
  set(source src/hull/gpu/steps/steps.cpp)
  if(name IN_LIST kernel_families)
    set(source ${kernel_include}/${name}.cpp)
  endif()
  if(RIFFLE_KERNELS_FROM)
    set(object ${RIFFLE_KERNELS_FROM}/riffle_machine_${name}.o)
    if(kernels_of_others)
      riffle_look_at_kernels(riffle_machine_${name} ${source})
    endif()
  else()
    set(object ${CMAKE_CURRENT_BINARY_DIR}/riffle_machine_${name}.o)
    riffle_machine_kernels(riffle_machine_${name} ${source} ${object})
  endif()
  list(APPEND machine_objects ${object})
endforeach()

# Parts that do not depend on a user's program are compiled here, and only linked with it.
set(lint_object_options -std=c++17 -w -fPIC -fno-builtin -ffp-contract=off -U_FORTIFY_SOURCE)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND lint_object_options -fno-addrsig) # GNU's linker does not know it
endif()
set(lint_parts)
set(lint_part_hooks -O1 -foptimize-sibling-calls)
set(lint_part_program -O1)
set(lint_part_products -O3)
foreach(part hooks products program)
  set(source ${PROJECT_SOURCE_DIR}/machine/device/cuda/${part}.cpp)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/lint/${part}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/lint
    COMMAND ${CMAKE_CXX_COMPILER} ${lint_object_options} ${lint_part_${part}} -I ${PROJECT_SOURCE_DIR}/machine/device -c ${source} -o ${object}
    DEPENDS ${source} machine/device/device_api.h machine/device/host_api.h VERBATIM
    COMMENT "Compiling ${part}.cpp of riffle lint")
  list(APPEND lint_parts ${object})
endforeach()
set(lint_part_bytes ${CMAKE_CURRENT_BINARY_DIR}/lint_part_bytes.c)
add_custom_command(OUTPUT ${lint_part_bytes}
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${lint_part_bytes} -D HEADER=machine/lint/compiler/parts.h
    -D ARRAY=lint_parts "-D FILES=${lint_parts}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedBytes.cmake
  DEPENDS ${lint_parts} cmake/EmbedBytes.cmake VERBATIM COMMENT "Embedding the objects of riffle lint")

file(GLOB_RECURSE lint_headers CONFIGURE_DEPENDS machine/device/cuda/*.h)
list(APPEND lint_headers ${PROJECT_SOURCE_DIR}/machine/device/device_api.h ${PROJECT_SOURCE_DIR}/machine/device/host_api.h)
set(lint_header_texts ${CMAKE_CURRENT_BINARY_DIR}/lint_header_texts.c)
add_custom_command(OUTPUT ${lint_header_texts}
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${lint_header_texts} -D HEADER=machine/lint/compiler/headers.h
    -D ARRAY=lint_headers "-D FILES=${lint_headers}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
  DEPENDS ${lint_headers} cmake/EmbedText.cmake VERBATIM COMMENT "Embedding the headers of riffle lint")

# File and line of an access come from libdw, which is loaded when they are asked for: only its header is needed here.
find_path(LIBDW_INCLUDE elfutils/libdwfl.h)
if(LIBDW_INCLUDE)
  message(STATUS "memory machine: source lines by libdw, whose header is in ${LIBDW_INCLUDE}")
  set(source_line machine/lines/source_line.c)
else()
  message(WARNING "memory machine: libdw's header (libdw-dev, elfutils) is missing, so riffle lint will not know source lines")
  set(source_line machine/lines/source_line_unknown.c)
endif()

file(GLOB_RECURSE machine_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS machine/*.c src/device/machine/*.c)
list(FILTER machine_sources EXCLUDE REGEX "/source_line(_unknown)?\\.c$")
list(APPEND machine_sources ${source_line} ${lint_header_texts} ${lint_part_bytes})
