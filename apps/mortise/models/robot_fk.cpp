#include <sstream>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "models/robot_input.h"
#include "mortise/base/value_text.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"
#include "mortise/math/rotation.h"

namespace mortise::app {

int robotFkCommand(const Arguments& arguments) {
  CommandLine line("mortise robot fk", "where the links of a robot are");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one")
      .synonym("config")
      .repeatedOption("link", "NAME", "only this link, by name or index; may be repeated (default: all)")
      .epilog(
          "Prints each link's position and its rotation as roll, pitch and yaw; with --json {\"links\": [{\"name\", "
          "\"T\"}]},\n"
          "T being 12 numbers: the rotation row by row, then the position, in the world.\n\n"
          "Example:\n"
          "  mortise robot fk arm.urdf --q '{elbow: 90 deg}' --link hand --json\n");
  if (!line.parse(arguments)) return 0;
  RobotInput input(line);
  const Robot& robot = input.robot();
  const VectorXd q = input.configuration("q");
  std::vector<int> links;
  for (const std::string& name : line.texts("link")) links.push_back(input.link("link", name));
  if (links.empty())
    for (int i = 0; i < robot.numLinks(); ++i) links.push_back(i);
  input.finish();

  RobotDynamics dynamics(input.pointer());
  dynamics.setPosition(q);
  Value list = Value::list();
  std::ostringstream text;
  for (const int link : links) {
    const RigidTransform X = dynamics.X_WL(link);
    Value entry = Value::map();
    entry.set("name", robot.link(link).name);
    entry.set("T", inspect::list(X));
    list.push_back(std::move(entry));
    const Vector3d zyx = eulerZyxFromRotation(X.R);
    text << robot.link(link).name << ": position";
    const auto number = [](double x) { return formatReal(x + 0.0, 6); };  // Not -0.
    for (int k = 0; k < 3; ++k) text << ' ' << number(X.p[k]);
    text << ", rpy " << number(zyx[2]) << ' ' << number(zyx[1]) << ' ' << number(zyx[0]) << "\n";
  }
  if (!line.json()) {
    print(text.str());
    return 0;
  }
  Value result = Value::map();
  result.set("links", std::move(list));
  print(toJson(result) + "\n");
  return 0;
}

}  // namespace mortise::app
