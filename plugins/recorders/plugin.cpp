#include "mortise/plugin/plugin.h"

#include "csv_recorder.h"

MORTISE_PLUGIN("mortise_recorders", "0.1.0") {
  plugin.recorder<mortise::CsvRecorder>("mortise.CsvRecorder")
      .alias("csv")
      .summary("Comma-separated values with the column names of Klamp't's SimLogger.")
      .parameter("file", "state.csv",
                 "File for robots, objects and sensors. A name without folder goes into the run directory, with the "
                 "run's prefix.")
      .parameter("contactFile", "contacts.csv", "File for contacts: one row for each pair of ids in contact.");
}
