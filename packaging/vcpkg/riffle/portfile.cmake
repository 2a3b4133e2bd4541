# SPDX-License-Identifier: Apache-2.0
#
# vcpkg's port, for the source tree that it lies in: `vcpkg install riffle --overlay-ports=packaging/vcpkg`.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES cuda RIFFLE_CUDA)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DRIFFLE_TESTS=OFF -DRIFFLE_MPI=OFF -DRIFFLE_CCACHE=OFF ${options})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/riffle)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES riffle AUTO_CLEAN)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
