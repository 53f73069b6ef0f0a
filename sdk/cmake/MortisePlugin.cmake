# mortise_add_plugin(NAME SOURCES file... [LIBRARIES target...] [DOCUMENTATION file.md...] [NO_PRECOMPILED_HEADERS])
#
# A plugin library NAME.so: hidden symbols, everything resolved at link time, one exported symbol, never unloaded; and its
# side-car manifest NAME.mortise.yaml, written after linking, from which the registry lists it without opening it.
# "mortise/plugin/plugin.h" is compiled once and for all, so that a changed file compiles in a fraction of the time, unless
# NO_PRECOMPILED_HEADERS is given. Each Markdown file of DOCUMENTATION is text in the header "documentation.h":
# `documentation::damper` is damper.md, to be handed to `ComponentBuilder::documentation`.

set(MORTISE_PLUGIN_VERSION_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/plugin.map)

# mortise_embed_documentation(target file.md...): the header "documentation.h" for the target's sources, written anew when a
# file changes.
function(mortise_embed_documentation TARGET)
  set(text "#pragma once\n\nnamespace documentation {\n")
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET file STEM name)
    if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
      message(FATAL_ERROR "mortise_add_plugin(${TARGET}): ${file} becomes a C++ name; use lower-case letters, digits and '_'")
    endif()
    file(READ ${file} markdown)
    string(APPEND text "\ninline constexpr const char* ${name} = R\"markdown(${markdown})markdown\";\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  string(APPEND text "\n}  // namespace documentation\n")
  set(header ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_documentation/documentation.h)
  set(before)
  if(EXISTS ${header})
    file(READ ${header} before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE ${header} "${text}")
  endif()
  target_include_directories(${TARGET} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}_documentation)
endfunction()

function(mortise_add_plugin NAME)
  cmake_parse_arguments(ARG "NO_PRECOMPILED_HEADERS" "" "SOURCES;LIBRARIES;DOCUMENTATION" ${ARGN})
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "mortise_add_plugin(${NAME}): name the sources after SOURCES")
  endif()
  add_library(${NAME} MODULE ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE Mortise::kernel Mortise::toolbox ${ARG_LIBRARIES})
  set_target_properties(${NAME} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    PREFIX "")
  if(ARG_DOCUMENTATION)
    mortise_embed_documentation(${NAME} ${ARG_DOCUMENTATION})
  endif()
  if(NOT ARG_NO_PRECOMPILED_HEADERS)
    target_precompile_headers(${NAME} PRIVATE <mortise/plugin/plugin.h>)
    set_target_properties(${NAME} PROPERTIES DEFINE_SYMBOL "")
  endif()
  target_compile_options(${NAME} PRIVATE -ffp-contract=off)
  # The build id is how a side-car recognizes its library, also after `strip` or a change of RPATH.
  target_link_options(${NAME} PRIVATE
    -Wl,-z,defs -Wl,-z,nodelete -Wl,--build-id=sha1 -Wl,--version-script=${MORTISE_PLUGIN_VERSION_SCRIPT})
  set_property(TARGET ${NAME} APPEND PROPERTY LINK_DEPENDS ${MORTISE_PLUGIN_VERSION_SCRIPT})
  if(TARGET Mortise::mortise)
    set(describe $<TARGET_FILE:Mortise::mortise> plugins describe $<TARGET_FILE:${NAME}> --write --quiet)
  else()
    set(describe $<TARGET_FILE:mortise_describe> $<TARGET_FILE:${NAME}>)
    add_dependencies(${NAME} mortise_describe)
  endif()
  add_custom_command(TARGET ${NAME} POST_BUILD COMMAND ${describe}
    COMMENT "Writing the side-car manifest of ${NAME}" VERBATIM)
endfunction()

# mortise_install_plugin(NAME [DESTINATION folder])
#
# Installs a plugin and its side-car to lib/mortise/plugins below the install prefix, or to another folder.
function(mortise_install_plugin NAME)
  cmake_parse_arguments(ARG "" "DESTINATION" "" ${ARGN})
  if(NOT ARG_DESTINATION)
    set(ARG_DESTINATION lib/mortise/plugins)
  endif()
  install(TARGETS ${NAME} LIBRARY DESTINATION ${ARG_DESTINATION})
  install(FILES $<TARGET_FILE_DIR:${NAME}>/$<TARGET_FILE_BASE_NAME:${NAME}>.mortise.yaml DESTINATION ${ARG_DESTINATION})
endfunction()
