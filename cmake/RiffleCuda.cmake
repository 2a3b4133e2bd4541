# SPDX-License-Identifier: Apache-2.0
#
# The cuda engine, which is libriffle-cuda, or nothing. RIFFLE_CUDA says whether to build it: AUTO is ON where nvcc is found, on PATH
# or in /usr/local/cuda, and OFF in builds with sanitizers.
#
# Gives: riffle_has_cuda; cuda_sources, cuda_objects and cuda_archive, what the library is made of: C files, the kernels' object
# files and CUDA's static run-time library, with which it loads where there is no driver; and riffle_add_cuda(TARGET), which gives a
# target CUDA's headers. NVRTC is loaded too, and what loads it is compiled and tested without CUDA as well.
set(RIFFLE_CUDA AUTO CACHE STRING "build the cuda engine: ON, OFF, or AUTO for where nvcc is found")
set_property(CACHE RIFFLE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(RIFFLE_CUDA_EFFORT FULL CACHE STRING "FULL: kernels are compiled for speed; CHECK: where this machine has no GPU, to see that they compile alone")
set_property(CACHE RIFFLE_CUDA_EFFORT PROPERTY STRINGS FULL CHECK)

set(riffle_has_cuda OFF)
file(GLOB cuda_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS src/device/nvrtc/*.c)
if(RIFFLE_CUDA STREQUAL "AUTO")
  if(NOT RIFFLE_SANITIZE AND NOT RIFFLE_FUZZ)
    find_package(CUDAToolkit 12.8 QUIET)
  endif()
elseif(RIFFLE_CUDA)
  find_package(CUDAToolkit 12.8 REQUIRED)
endif()
if(RIFFLE_CUDA AND CUDAToolkit_NVCC_EXECUTABLE AND TARGET CUDA::cudart_static)
  set(riffle_has_cuda ON)
endif()

if(NOT riffle_has_cuda)
  message(STATUS "cuda engine: left out")
  set(cuda_objects)
  set(cuda_archive)
  function(riffle_add_cuda target)
  endfunction()
  return()
endif()
message(STATUS "cuda engine: CUDA ${CUDAToolkit_VERSION}")

file(GLOB_RECURSE engine_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS src/device/cuda/*.c src/move/cuda/table/*.c
  src/move/cuda/planner/*.c)
list(APPEND cuda_sources ${engine_sources})
get_target_property(cuda_archive CUDA::cudart_static IMPORTED_LOCATION)

# riffle_cuda_gpus(OUT): the compute capabilities of this machine's GPUs, 90 for 9.0; none where it has none.
function(riffle_cuda_gpus out)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE here ERROR_QUIET RESULT_VARIABLE missing)
  set(list)
  if(NOT missing)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" list "${here}")
    list(TRANSFORM list REPLACE "\\." "")
  endif()
  set(${out} ${list} PARENT_SCOPE)
endfunction()

# riffle_cuda_architectures(OUT): the list that RIFFLE_CUDA_ARCHITECTURES says or stands for, in order.
function(riffle_cuda_architectures out)
  set(list ${RIFFLE_CUDA_ARCHITECTURES})
  if(list STREQUAL "RELEASE")
    execute_process(COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} --list-gpu-code OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "sm_[0-9]+" known "${known}")
    list(TRANSFORM known REPLACE "sm_" "" OUTPUT_VARIABLE list)
    # Code for 80 runs on 86, 87 and 89 too: the first of each major number is enough.
    list(FILTER list INCLUDE REGEX "^([89]|1[0-9])0$")
  elseif(list STREQUAL "AUTO")
    riffle_cuda_gpus(list)
    if(NOT list)
      set(list 90)
    endif()
  endif()
  list(SORT list COMPARE NATURAL)
  list(REMOVE_DUPLICATES list)
  set(${out} ${list} PARENT_SCOPE)
endfunction()

# Each architecture costs its share of the build: a build for oneself has those of the machine's GPUs.
set(RIFFLE_CUDA_ARCHITECTURES AUTO CACHE STRING "compute capabilities to compile kernels for, such as 80;90; the last one's PTX runs on \
later GPUs. AUTO: this machine's GPUs, 90 where it has none. RELEASE: the first of each major version from 80 to the newest that nvcc knows")
set_property(CACHE RIFFLE_CUDA_ARCHITECTURES PROPERTY STRINGS AUTO RELEASE)
riffle_cuda_architectures(cuda_architectures)
message(STATUS "cuda engine: for compute capabilities ${cuda_architectures}")
set(cuda_targets)
foreach(capability ${cuda_architectures})
  list(APPEND cuda_targets -gencode arch=compute_${capability},code=sm_${capability})
endforeach()
list(GET cuda_architectures -1 newest)
list(APPEND cuda_targets -gencode arch=compute_${newest},code=compute_${newest})

# Where no GPU is, a check of kernels asks whether they compile, to machine code, not how fast that is: nvcc takes an eighth of the time so.
set(cuda_effort)
riffle_cuda_gpus(gpus_here)
if(RIFFLE_CUDA_EFFORT STREQUAL "CHECK" AND NOT gpus_here AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.9)
  set(cuda_effort -Ofc=max)
  message(STATUS "cuda engine: kernels are compiled to be checked, not to be run (RIFFLE_CUDA_EFFORT)")
endif()

# Kernels for several architectures are packed tightly, in a quarter of the bytes; but not those that a first plan of a move waits for.
set(cuda_packed)
list(LENGTH cuda_architectures how_many)
if(how_many GREATER 1 AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13.0)
  set(cuda_packed --compress-mode=size)
endif()

# riffle_compile_cuda(OBJECT SOURCE [FLAGS ...]): compiles a .cu file. nvcc is called by hand: as a language of the project CUDA would
# have every program linked by C++. nvcc says which headers it has read.
#
# Kernels carry no line numbers unless told: they are more than half of the libraries' bytes.
set(RIFFLE_CUDA_FLAGS "" CACHE STRING "more flags for nvcc, such as -lineinfo for profilers and compute-sanitizer")
separate_arguments(more_cuda_flags NATIVE_COMMAND "${RIFFLE_CUDA_FLAGS}")
set(cuda_flags -std=c++17 -O3 ${more_cuda_flags} ${cuda_targets}
  -Xcompiler=-fPIC,-fvisibility=hidden,-fno-threadsafe-statics,-Wall,-Wextra,-Wshadow)
function(riffle_compile_cuda object source)
  cmake_parse_arguments(PARSE_ARGV 2 cuda "" "" "FLAGS")
  get_filename_component(name ${source} NAME)
  add_custom_command(OUTPUT ${object}
    COMMAND ${riffle_cuda_launcher} ${CUDAToolkit_NVCC_EXECUTABLE} -c ${cuda_flags} ${cuda_effort} ${cuda_FLAGS} -MD -MF ${object}.d -o ${object} ${source}
    DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${name} for GPUs")
endfunction()

# No C++ run-time library is needed, hence no exceptions; nothing of CUB's must be visible outside, hence no unique symbols.
set(cuda_objects)
set(cuda_defaults -I ${PROJECT_SOURCE_DIR}/src -I ${PROJECT_SOURCE_DIR}/include -Xcompiler=-fno-exceptions,-fno-gnu-unique)
# Families that are one object, and what moves have besides.
set(families_by_size move once program sort)
set(whole_families ${kernel_families})
list(REMOVE_ITEM whole_families ${families_by_size})
foreach(name ${whole_families} src/hull/gpu/steps/steps src/move/cuda/planner/bucket_steps src/move/cuda/planner/run_steps src/move/cuda/planner/sort
    src/move/cuda/table/random src/move/cuda/table/steps)
  string(REGEX REPLACE "^src/|(gpu|cuda)/" "" object ${name})
  string(REPLACE "/" "_" object ${object})
  set(object ${CMAKE_CURRENT_BINARY_DIR}/riffle_cuda_${object}.o)
  set(source ${PROJECT_SOURCE_DIR}/${name}.cu)
  if(name IN_LIST whole_families)
    set(source ${kernel_include}/${name}.cu)
  endif()
  set(packed ${cuda_packed})
  if(name MATCHES "^src/move/")
    set(packed)
  endif()
  riffle_compile_cuda(${object} ${source} FLAGS ${packed} ${cuda_defaults})
  list(APPEND cuda_objects ${object})
endforeach()

# The others are an object for each size of an element, as src/device/cuda/objects.h explains.
foreach(family ${families_by_size})
  set(packed)
  if(family MATCHES "^(program|sort)$")
    set(packed ${cuda_packed})
  endif()
  foreach(bytes 1 2 4 8 16)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/riffle_cuda_kernels_${family}_${bytes}.o)
    riffle_compile_cuda(${object} ${kernel_include}/${family}.cu
      FLAGS ${packed} ${cuda_defaults} -D KERNELS_BYTES=${bytes} -D KERNELS_FINDER=cuda_kernel_${family}_${bytes})
    list(APPEND cuda_objects ${object})
  endforeach()
endforeach()

# CUDA's headers and run-time library for a target of its own, a program that uses device memory, say.
function(riffle_add_cuda target)
  target_include_directories(${target} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(${target} PRIVATE CUDA::cudart_static)
endfunction()
