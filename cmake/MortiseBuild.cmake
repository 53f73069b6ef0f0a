# Settings that every target of this project shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME mortise)
# A program is linked again when its own objects change, not whenever a shared library below it does.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

# ccache, where it is installed, makes building again from nothing a matter of copying. Its depend mode
# compares the headers themselves. Otherwise it compares preprocessed text, which has no comments: a
# precompiled header would be taken from the cache although a comment in it has changed, and g++, which
# compares whole files, would read that header a second time ("redefinition"). The namespace keeps caches
# apart that were filled before.
find_program(MORTISE_CCACHE ccache)
if(MORTISE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_DEPEND=1 CCACHE_NAMESPACE=mortise ${MORTISE_CCACHE})
endif()

# One tree for what runs, laid out as it is installed, so that programs find plugins without being installed.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(MORTISE_PLUGIN_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/mortise/plugins)
set(MORTISE_PLUGIN_INSTALL_DIR ${CMAKE_INSTALL_LIBDIR}/mortise/plugins)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN;$ORIGIN/../..")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
# For targets whose libraries lie the same way in the build tree as installed. A search path that installing changes ends in a
# colon, for which the loader also searches the working folder, eleven times a library. Libraries outside of the system's
# folders are found where they were when linking, in the build tree and installed.
set(MORTISE_SAME_RPATH BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)

add_library(mortise_options INTERFACE)
target_compile_options(mortise_options INTERFACE
  -Wall -Wextra -Wpedantic -Wno-unused-parameter -Wshadow=local -Wnon-virtual-dtor
  # g++ 12 sees uninitialized members in Eigen's decompositions where there are none.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  # g++ 12 sees strings overrun in sums of strings that are inlined.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # Most files are compiled in 400 MB; collecting garbage before that only takes time.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=400000>
  # Classes of a .cpp file hold what its anonymous namespace declares; g++ takes files that are compiled together for headers.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
  $<$<BOOL:${MORTISE_WERROR}>:-Werror>
  # The same bits from the same sources: no fused multiply-add unless written.
  -ffp-contract=off)
if(MORTISE_SANITIZE)
  target_compile_options(mortise_options INTERFACE -fsanitize=${MORTISE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(mortise_options INTERFACE -fsanitize=${MORTISE_SANITIZE})
endif()

# mortise_peculiar_sources(result source...): the sources that must be compiled alone, because they define macros for what they
# include, such as kernels for several instruction sets, or replace operator new.
function(mortise_peculiar_sources RESULT)
  set(peculiar)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "\\.cpp$")
      file(STRINGS ${source} macro REGEX "^#define |^#include \".*\\.inc\"|^void\\* operator new" LIMIT_COUNT 1)
      if(macro)
        list(APPEND peculiar ${source})
      endif()
    endif()
  endforeach()
  set(${RESULT} ${peculiar} PARENT_SCOPE)
endfunction()

# mortise_unity(target): compiles a target's sources room by room: what stands in one folder becomes one translation unit, or a few of
# at most MORTISE_UNITY_SIZE files, so that headers and templates are compiled once for all of them. Names in anonymous
# namespaces are therefore unique within a room. MORTISE_UNITY=OFF compiles file by file.
option(MORTISE_UNITY "Compile the files of a folder together (faster builds from nothing, slower ones after small changes)" ON)
set(MORTISE_UNITY_SIZE 16 CACHE STRING "The largest number of files that are compiled together")
function(mortise_unity TARGET)
  if(NOT MORTISE_UNITY)
    return()
  endif()
  get_target_property(sources ${TARGET} SOURCES)
  set(rooms)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  mortise_peculiar_sources(peculiar ${sources})
  if(peculiar)
    list(REMOVE_ITEM sources ${peculiar})
  endif()
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
    cmake_path(GET file PARENT_PATH folder)
    string(MD5 room ${folder})
    list(APPEND rooms ${room})
    list(APPEND sources_${room} ${source})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  foreach(room IN LISTS rooms)
    list(SORT sources_${room})
    list(LENGTH sources_${room} length)
    math(EXPR parts "(${length} + ${MORTISE_UNITY_SIZE} - 1) / ${MORTISE_UNITY_SIZE}")
    math(EXPR size "(${length} + ${parts} - 1) / ${parts}")
    set(index 0)
    foreach(source IN LISTS sources_${room})
      math(EXPR part "${index} / ${size}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${part})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# mortise_precompile(target library|plugin): the target's files begin with headers that are compiled once for all targets of
# their kind (cmake/precompiled): the standard library, Eigen and what nearly every file includes of the kernel. Plugins hide
# their symbols and libraries do not, so each kind has its own. Files still include what they use.
option(MORTISE_PRECOMPILED_HEADERS "Compile the most common headers once for all files" ON)
set(MORTISE_COMMON_HEADERS <Eigen/Dense> <algorithm> <array> <atomic> <cmath> <filesystem> <fstream> <functional> <iomanip>
  <map> <memory> <optional> <random> <set> <span> <sstream> <string> <string_view> <unordered_map> <variant> <vector>)
function(mortise_precompile TARGET KIND)
  if(NOT MORTISE_PRECOMPILED_HEADERS)
    return()
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM mortise_${KIND}_headers)
  set_target_properties(${TARGET} PROPERTIES DEFINE_SYMBOL "")
  get_target_property(sources ${TARGET} SOURCES)
  mortise_peculiar_sources(peculiar ${sources})
  if(peculiar)
    set_source_files_properties(${peculiar} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# mortise_add_floor(name): one of the shared libraries (a floor of the house), made of every source below the current
# folder. Their API is exported by default visibility; plugins are the ones that hide everything.
function(mortise_add_floor NAME)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/mortise/*.cpp)
  add_library(mortise_${NAME} SHARED ${sources})
  add_library(Mortise::${NAME} ALIAS mortise_${NAME})
  target_include_directories(mortise_${NAME} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(mortise_${NAME} PUBLIC cxx_std_20)
  target_link_libraries(mortise_${NAME} PRIVATE $<BUILD_INTERFACE:mortise_options>)
  # A floor calls its own functions without asking the loader for them.
  target_link_options(mortise_${NAME} PRIVATE -Wl,-z,defs -Wl,-Bsymbolic-functions)
  set_target_properties(mortise_${NAME} PROPERTIES
    EXPORT_NAME ${NAME}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    VISIBILITY_INLINES_HIDDEN ON
    INSTALL_RPATH "$ORIGIN"
    ${MORTISE_SAME_RPATH})
  mortise_unity(mortise_${NAME})
  mortise_precompile(mortise_${NAME} library)
  install(TARGETS mortise_${NAME} EXPORT MortiseTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libmortise0
    NAMELINK_COMPONENT libmortise-dev)
  install(DIRECTORY mortise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libmortise-dev FILES_MATCHING PATTERN "*.h")
endfunction()

# mortise_hot_rooms(target folder...): rooms that optimized builds compile with -O3, which inlines Eigen's products and unrolls
# short loops. They have no precompiled header, because g++ takes the level of optimization from it.
function(mortise_hot_rooms TARGET)
  foreach(room IN LISTS ARGN)
    file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp)
    foreach(source IN LISTS sources)
      get_source_file_property(group ${source} UNITY_GROUP)
      if(group)
        set(source ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${TARGET}.dir/Unity/unity_${group}_cxx.cxx)
      endif()
      set_source_files_properties(${source} PROPERTIES
        SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")
    endforeach()
  endforeach()
endfunction()

# mortise_add_in_tree_plugin(name [OWN_PACKAGE] [LIBRARIES...]): a plugin made of every source and every page of
# documentation (.md) in the current folder, with its side-car manifest. It is part of Debian's package mortise, or, when it
# needs libraries that not everyone wants, a package of its own.
function(mortise_add_in_tree_plugin NAME)
  cmake_parse_arguments(ARG "OWN_PACKAGE" "" "LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.md)
  mortise_add_plugin(${NAME} SOURCES ${sources} LIBRARIES ${ARG_LIBRARIES} mortise_options DOCUMENTATION ${pages}
    NO_PRECOMPILED_HEADERS)
  target_include_directories(${NAME} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(${NAME} PRIVATE MORTISE_PLUGIN_LICENSE="BSD-3-Clause")
  set_target_properties(${NAME} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${MORTISE_PLUGIN_OUTPUT_DIRECTORY}
    INSTALL_RPATH "$ORIGIN/../.."
    ${MORTISE_SAME_RPATH}
    PREFIX "")
  mortise_unity(${NAME})
  mortise_precompile(${NAME} plugin)
  set_property(GLOBAL APPEND PROPERTY MORTISE_IN_TREE_PLUGINS ${NAME})
  set(package mortise)
  if(ARG_OWN_PACKAGE)
    set_property(GLOBAL APPEND PROPERTY MORTISE_PACKAGED_PLUGINS ${NAME})
    string(REPLACE "_" "-" package ${NAME})
    string(REPLACE "mortise-" "mortise-plugin-" package ${package})
  endif()
  install(TARGETS ${NAME} LIBRARY DESTINATION ${MORTISE_PLUGIN_INSTALL_DIR} COMPONENT ${package})
  install(FILES ${MORTISE_PLUGIN_OUTPUT_DIRECTORY}/${NAME}.mortise.yaml DESTINATION ${MORTISE_PLUGIN_INSTALL_DIR}
    COMPONENT ${package})
endfunction()

# mortise_needs(FOUND WHAT): leaves the rest of a plugin's CMakeLists.txt out, with a notice, unless the variable FOUND is
# true. WHAT names the library, and the package of Debian that has it.
macro(mortise_needs FOUND WHAT)
  if(NOT ${FOUND})
    get_filename_component(mortise_left_out ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    message(STATUS "plugin ${mortise_left_out} is left out: ${WHAT} was not found")
    set_property(GLOBAL APPEND PROPERTY MORTISE_LEFT_OUT ${mortise_left_out})
    return()
  endif()
endmacro()

include(${CMAKE_CURRENT_SOURCE_DIR}/sdk/cmake/MortisePlugin.cmake)
