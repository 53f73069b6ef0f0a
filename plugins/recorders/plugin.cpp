#include "mortise/plugin/plugin.h"

#include "csv_recorder.h"
#include "documentation.h"
#include "image_recorder.h"
#include "json_lines_recorder.h"
#include "mcap_recorder.h"
#include "path_recorder.h"

MORTISE_PLUGIN("mortise_recorders", "0.2.0") {
  using namespace mortise::recorders;
  using Names = std::vector<std::string>;
  plugin.recorder<CsvRecorder>("mortise.CsvRecorder")
      .alias("csv")
      .summary("Comma-separated values with the column names of Klamp't's SimLogger and SimTest.")
      .documentation(documentation::log_recorder)
      .extensions({"csv", "txt", "log", ""})
      .attribute("outputs", Names{"file", "contact_file", "wrench_file"})
      .settings<CsvSettings>();
  plugin.recorder<JsonLinesRecorder>("mortise.JsonLinesRecorder")
      .alias("jsonl")
      .summary("One JSON object a line, a line a recorded tick: robots, objects, sensors, contacts, wrenches.")
      .documentation(documentation::log_recorder)
      .extensions({"jsonl", "ndjson", "json"})
      .attribute("outputs", Names{"file"})
      .settings<JsonLinesSettings>();
  plugin.recorder<McapRecorder>("mortise.McapRecorder")
      .alias("mcap")
      .summary(
          "The whole run as one MCAP file, which viewers replay: world, motion, contacts, sensors, images, states.")
      .documentation(documentation::mcap_recorder)
      .extensions({"mcap"})
      .attribute("outputs", Names{"file"})
      .settings<McapSettings>();
  plugin.recorder<PathRecorder>("mortise.PathRecorder")
      .alias("path")
      .summary("The motion of one robot as a .path file, which a robot can follow.")
      .extensions({"path"})
      .attribute("outputs", Names{"file"})
      .attribute("records", "one robot")
      .settings<PathRecorderSettings>();
  plugin.recorder<ImageRecorder>("mortise.ImageRecorder")
      .alias("ImageRecorder")
      .alias("images")
      .summary("What cameras see: colors and depths as PNG, point clouds as PCD.")
      .documentation(documentation::image_recorder)
      .role(mortise::role::kImageRecorder)
      .attribute("outputs", Names{"folder"})
      .attribute("records", "cameras")
      .settings<ImageSettings>();
}
