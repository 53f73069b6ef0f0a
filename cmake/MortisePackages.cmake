# Debian packages, written by `./dev package` (cpack): what is built is split as people install it. Every install() names
# its package as its component; what names none belongs to the package mortise.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mortise)
set(CPACK_PACKAGE_VENDOR Mortise)
set(CPACK_PACKAGE_CONTACT "The Mortise developers <mortise@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# What a package's binaries link is found by dpkg-shlibdeps; our own libraries are in the build tree.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})

# mortise_package(name summary [DEPENDS component...] [RECOMMENDS package...] [REQUIRES package...] [CONFLICTS package...]):
# a package of all that was installed for the component of this name. DEPENDS are packages of ours, REQUIRES others.
macro(mortise_package NAME SUMMARY)
  cmake_parse_arguments(ARG "" "" "DEPENDS;RECOMMENDS;REQUIRES;CONFLICTS" ${ARGN})
  string(TOUPPER ${NAME} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${NAME})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION ${SUMMARY})
  set(CPACK_COMPONENT_${upper}_DEPENDS ${ARG_DEPENDS})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${NAME})
  list(JOIN ARG_RECOMMENDS ", " CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS)
  list(JOIN ARG_REQUIRES ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS)
  list(JOIN ARG_CONFLICTS ", " CPACK_DEBIAN_${upper}_PACKAGE_CONFLICTS)
endmacro()

set(plugin_packages)
get_property(plugins GLOBAL PROPERTY MORTISE_PACKAGED_PLUGINS)
foreach(plugin IN LISTS plugins)
  string(REPLACE "mortise_" "" plain ${plugin})
  string(REPLACE "_" "-" package mortise-plugin-${plain})
  set(needed libmortise0)
  if(plain STREQUAL python_host)
    list(APPEND needed python3-mortise)
  endif()
  mortise_package(${package} "Plugin ${plain} of Mortise" DEPENDS ${needed})
  list(APPEND plugin_packages ${package})
endforeach()
mortise_package(libmortise0 "Shared libraries of Mortise, robot modeling, planning, control and simulation")
mortise_package(mortise "Models, plans, controls and simulates robots" DEPENDS libmortise0 RECOMMENDS ${plugin_packages})
mortise_package(libmortise-dev "Headers and CMake package of Mortise, for plugins and programs" DEPENDS libmortise0 mortise
  REQUIRES libeigen3-dev libboost-dev libyaml-cpp-dev)
if(TARGET mortise_python)
  mortise_package(python3-mortise "Mortise in Python" DEPENDS libmortise0 mortise REQUIRES python3-numpy
    RECOMMENDS ${plugin_packages})
  mortise_package(python3-mortise-klampt "Klamp't's Python API on top of Mortise" DEPENDS python3-mortise
    CONFLICTS python3-klampt)
endif()
# The first line of a package's description is its own, not the project's.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")
include(CPack)
