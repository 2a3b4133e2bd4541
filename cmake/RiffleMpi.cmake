# SPDX-License-Identifier: Apache-2.0
#
# libriffle-mpi: mpi/, whose sources see include/ only and call the shared libriffle, and what the command looks at files by. It is built where MPI is found, for that MPI: a
# program's own must be the same. -D RIFFLE_MPI=OFF leaves it out, and so does a build with sanitizers, which MPI's own leaks would end.
option(RIFFLE_MPI "build libriffle-mpi where MPI is found" ON)
set(riffle_has_mpi FALSE)
if(NOT RIFFLE_MPI OR RIFFLE_SANITIZE OR RIFFLE_FUZZ OR SKBUILD)
  return()
endif()
find_package(MPI QUIET COMPONENTS C)
if(NOT MPI_C_FOUND)
  message(STATUS "MPI is missing: libriffle-mpi and its tests are left out")
  return()
endif()
set(riffle_has_mpi TRUE)
file(GLOB mpi_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS mpi/*.c mpi/memory/*.c mpi/transports/*.c)
list(APPEND mpi_sources cli/arrays/same_file.c cli/system/writable.c)
add_library(riffle_mpi SHARED ${mpi_sources} $<TARGET_OBJECTS:riffle_build_id>)
add_library(riffle::mpi ALIAS riffle_mpi)
target_include_directories(riffle_mpi PRIVATE cli mpi PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/mpi/include>)
target_link_libraries(riffle_mpi PUBLIC riffle_shared MPI::MPI_C PRIVATE riffle_options ${CMAKE_DL_LIBS})
set_target_properties(riffle_mpi PROPERTIES OUTPUT_NAME riffle-mpi EXPORT_NAME mpi C_VISIBILITY_PRESET hidden
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_link_options(riffle_mpi PRIVATE LINKER:-z,defs)
