# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

install(TARGETS riffle_shared riffle_static EXPORT riffle)
# The libraries that libriffle loads lie beside it, where it looks first; the command finds them from its own place.
install(TARGETS ${riffle_modules} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(cuda_effort)
  install(CODE "message(WARNING \"kernels for GPUs were compiled to be checked, and run slowly; build with -DRIFFLE_CUDA_EFFORT=FULL, as make does\")")
endif()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES packaging/riffle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# These documents are for users of the installed package; the others speak of the source tree.
install(FILES LICENSE docs/command.md docs/spec.md docs/lint.md docs/machine.md docs/programs.md docs/rap.md docs/vat.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/images DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "vat-*.svg" PATTERN "programs-*.svg")

file(RELATIVE_PATH to_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(riffle_command PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/riffle)
install(EXPORT riffle NAMESPACE riffle:: DESTINATION ${package_dir} FILE riffleTargets.cmake)
configure_package_config_file(packaging/riffleConfig.cmake.in riffleConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(riffleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/riffleConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/riffleConfigVersion.cmake DESTINATION ${package_dir})

# riffle.pc finds its prefix from where it stands, so an installed tree may be moved.
list(TRANSFORM static_needs PREPEND "-l" OUTPUT_VARIABLE pc_static_libs)
list(JOIN pc_static_libs " " pc_static_libs)
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(packaging/riffle.pc.in riffle.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/riffle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(riffle_has_mpi)
  # Optional, since packages build their own targets alone.
  install(TARGETS riffle_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
  install(DIRECTORY mpi/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  set_target_properties(riffle_mpi PROPERTIES INSTALL_RPATH "$ORIGIN")
  configure_file(packaging/riffle-mpi.pc.in riffle-mpi.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/riffle-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
foreach(module ${riffle_modules})
  get_target_property(name ${module} EXPORT_NAME)
  get_target_property(file ${module} OUTPUT_NAME)
  get_target_property(suffix ${module} SUFFIX)
  configure_file(packaging/riffle-module.pc.in riffle-${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/riffle-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
