#include "mortise/plugin/plugin.h"

#include "csv_recorder.h"
#include "json_lines_recorder.h"
#include "path_recorder.h"

MORTISE_PLUGIN("mortise_recorders", "0.2.0") {
  plugin.recorder<mortise::CsvRecorder>("mortise.CsvRecorder")
      .alias("csv")
      .summary("Comma-separated values with the column names of Klamp't's SimLogger and SimTest.")
      .parameter("file", "state.csv",
                 "File for robots, objects and sensors. A name without folder goes into the run directory, with the "
                 "run's prefix.")
      .parameter("contactFile", "contacts.csv",
                 "File for contacts: one row for each pair of ids in contact, with means over their contacts.")
      .parameter("wrenchFile", "wrenches.csv",
                 "File for wrenches: one row for each pair of ids in contact, with the centre of pressure, the whole "
                 "force on the first and the torque about that centre.");
  plugin.recorder<mortise::JsonLinesRecorder>("mortise.JsonLinesRecorder")
      .alias("jsonl")
      .summary("One JSON object a line, a line a recorded tick: robots, objects, sensors, contacts, wrenches.")
      .parameter("file", "log.jsonl",
                 "Name of the file. A name without folder goes into the run directory, with the run's prefix.");
  plugin.recorder<mortise::PathRecorder>("mortise.PathRecorder")
      .alias("path")
      .summary("The motion of one robot as a .path file, which a robot can follow.")
      .parameter("file", "motion.path",
                 "Name of the file. A name without folder goes into the run directory, with the run's prefix.")
      .parameter("of", "state", "What is written: where the robot is, or what is commanded.",
                 {.choices = {"state", "command"}});
}
