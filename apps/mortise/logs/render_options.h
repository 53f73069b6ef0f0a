#pragma once

#include <optional>
#include <string>

#include "command_line/command_line.h"
#include "mortise/render/photographer.h"

namespace mortise::app {

/// The options of `mortise render` that are about its pictures.
struct RenderOptions {
  render::PhotoOptions photo;
  double rate = 30;
  bool contacts = false;
  std::optional<double> time;  ///< Of the link of the viewer's page, s.
};

/// Declares the options of pictures.
void declareRenderOptions(CommandLine& line);
/// Throws `UsageError`.
RenderOptions renderOptions(const CommandLine& line);

/// The kinds of outputs.
enum class PictureOutput { png, folder, movie };
/// By the ending of the file's name. Throws `UsageError` for another one.
PictureOutput pictureOutput(const std::string& file);

}  // namespace mortise::app
