#include "mortise/plugin/plugin.h"

#include "moveit_format.h"

MORTISE_PLUGIN("mortise_io_moveit", "0.1.0") {
  using namespace mortise::io_moveit;

  plugin.format<MoveItFormat>("mortise.MoveIt")
      .alias("moveit")
      .summary("Planning problems of MoveIt: folders of a URDF and an SRDF file, scenes and requests (.yaml).")
      .settings<MoveItSettings>()
      .extensions({"/"})
      .reads({mortise::FileContent::planningProblem});
}
