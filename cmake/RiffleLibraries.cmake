# SPDX-License-Identifier: Apache-2.0
#
# The sources are compiled once, with hidden visibility. The shared library exports riffle_* by that alone.
# In the static one hidden names would still be visible to the linker, so its objects are first linked
# into one, in which the hidden names are made local.
set(library_sources
  src/base/memory.c src/base/printable.c src/base/status.c
  src/npy/descr.c src/npy/encoding.c src/npy/header.c src/npy/input.c src/npy/literal.c src/npy/output.c
  src/perm/affine.c src/perm/axes.c src/perm/gf2.c src/perm/gf2_span.c src/perm/perm.c src/perm/random.c src/perm/recognize.c
  src/perm/rotation.c src/perm/sequence.c src/perm/spec_parse.c src/perm/spec_print.c src/perm/table.c
  src/perm/table_file.c
  src/models/hmm.c src/models/io_bounds.c src/models/line_reads.c src/models/processor.c src/models/processor_records.c
  src/models/traffic.c src/models/translation.c
  src/models/vat.c src/models/vat_cells.c src/models/vat_costs.c src/models/vat_heap.c src/models/vat_islru.c
  src/models/vat_ismin.c src/models/vat_lis.c src/models/vat_lru.c src/models/vat_min.c
  src/models/vat_presets.c src/models/vat_rrmin.c src/models/vat_segment.c src/models/vat_trace.c
  src/papers/bmmc.c src/papers/bmmc_pass.c src/papers/bmmc_passes.c
  src/plan/affine_cells.c src/plan/affine_lines.c src/plan/affine_passes.c src/plan/affine_policy.c
  src/plan/affine_tile.c src/plan/algorithms.c src/plan/axes_passes.c src/plan/axes_tile.c src/plan/bucket.c src/plan/bucket_passes.c src/plan/bucket_tile.c
  src/plan/choose.c src/plan/copy.c src/plan/device_cost.c src/plan/edge_colouring.c src/plan/explain.c src/plan/explain_model.c src/plan/explain_translation.c src/plan/in_place.c
  src/plan/indexed.c src/plan/involution.c src/plan/matrix.c
  src/plan/matrix_passes.c src/plan/move_cost.c src/plan/plan.c src/plan/policy_cpu.c src/plan/predict.c src/plan/policy_device.c src/plan/request.c src/plan/row_wise.c
  src/plan/scheduled.c
  src/programs/program.c src/programs/replay.c src/programs/run.c src/programs/sample.c src/programs/van_emde_boas.c
  src/kernels/kernel.c
  src/engines/engine.c src/engines/launch.c
  src/engines/passes/affine_lines.c src/engines/passes/affine_tile.c src/engines/passes/axes_tile.c src/engines/passes/bucket.c
  src/engines/passes/bucket_tile.c src/engines/passes/copy.c src/engines/passes/indexed.c src/engines/passes/row_wise.c
  src/engines/passes/rows.c src/engines/passes/transpose.c
  src/engines/cpu/affine_lines.c src/engines/cpu/affine_lines_avx512.c src/engines/cpu/affine_lines_portable.c
  src/engines/cpu/axes_tile.c src/engines/cpu/bucket.c src/engines/cpu/copy.c src/engines/cpu/execute.c
  src/engines/cpu/indexed.c src/engines/cpu/row_wise.c src/engines/cpu/team.c src/engines/cpu/tile_kernels.c
  src/engines/cpu/tile_kernels_avx512.c src/engines/cpu/tile_planes_avx512.c src/engines/cpu/transpose.c
  ${machine_sources} ${cuda_sources})

add_library(riffle_objects OBJECT ${library_sources})
target_include_directories(riffle_objects PUBLIC include src)
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
target_include_directories(riffle_internals INTERFACE include src)
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
set_target_properties(riffle_shared PROPERTIES OUTPUT_NAME riffle EXPORT_NAME riffle LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

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

# What a program that links libriffle.a must link besides, by name: the OpenMP runtime that it was compiled
# for, whatever language and OpenMP the program has itself.
set(static_needs ${OpenMP_C_LIB_NAMES} pthread m ${CMAKE_DL_LIBS})
list(REMOVE_DUPLICATES static_needs)
target_link_libraries(riffle_static INTERFACE
  "$<BUILD_INTERFACE:OpenMP::OpenMP_C;Threads::Threads;m;${CMAKE_DL_LIBS}>" "$<INSTALL_INTERFACE:${static_needs}>")
if(RIFFLE_SANITIZE OR RIFFLE_FUZZ)
  target_link_libraries(riffle_static INTERFACE $<BUILD_INTERFACE:riffle_options>)
endif()
