#include <sstream>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "models/robot_input.h"
#include "mortise/base/value_text.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"

namespace mortise::app {

namespace {

Value rowsOf(const Matrix6X& J) {
  Value rows = Value::list();
  for (Eigen::Index i = 0; i < J.rows(); ++i) rows.push_back(inspect::list(VectorXd(J.row(i).transpose())));
  return rows;
}

Vector3d pointOption(const CommandLine& line) {
  if (!line.has("point")) return Vector3d::Zero();
  const Value value = configurationOption("point", line.text("point"));
  const std::vector<double> numbers = value.isList() ? value.asReals() : std::vector<double>();
  if (numbers.size() != 3) throw UsageError("--point takes three numbers, such as 0,0,0.1");
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

int robotJacobianCommand(const Arguments& arguments) {
  CommandLine line("mortise robot jacobian", "how fast links move for each joint's rate");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one")
      .synonym("config")
      .repeatedOption("link", "NAME", "of this link, by name or index; may be repeated (default: the last one)")
      .option("point", "X,Y,Z", "of this point of the link, in its frame (default: its origin)")
      .flag("com", "of the center of mass instead")
      .epilog(
          "Prints 3 angular, then 3 linear rows, one column a link, in the world's axes; with --json\n"
          "{\"jacobians\": [{\"link\", \"name\", \"jacobian\"}]}, and {\"com_jacobian\"} with --com: 3 rows.\n\n"
          "Example:\n"
          "  mortise robot jacobian arm.urdf --q 0,90deg,0 --link hand\n");
  if (!line.parse(arguments)) return 0;
  if (line.has("com") && (line.has("link") || line.has("point"))) throw UsageError("--com excludes --link and --point");
  RobotInput input(line);
  const Robot& robot = input.robot();
  const VectorXd q = input.configuration("q");
  std::vector<int> links;
  for (const std::string& name : line.texts("link")) links.push_back(input.link("link", name));
  if (links.empty()) links.push_back(robot.numLinks() - 1);
  const Vector3d point = pointOption(line);
  input.finish();

  RobotDynamics dynamics(input.pointer());
  dynamics.setPosition(q);
  std::ostringstream text;
  const auto show = [&](const std::string& name, const auto& J) {
    text << name << "\n";
    for (Eigen::Index i = 0; i < J.rows(); ++i)
      for (Eigen::Index j = 0; j < J.cols(); ++j)
        text << (j == 0 ? "  " : " ") << formatReal(J(i, j), 6) << (j + 1 == J.cols() ? "\n" : "");
  };
  Value result = Value::map();
  if (line.has("com")) {
    Matrix3X J(3, robot.numLinks());
    dynamics.centerOfMassJacobian(J);
    Value rows = Value::list();
    for (Eigen::Index i = 0; i < 3; ++i) rows.push_back(inspect::list(VectorXd(J.row(i).transpose())));
    result.set("com_jacobian", std::move(rows));
    show("center of mass", J);
  } else {
    Value list = Value::list();
    Matrix6X J(6, robot.numLinks());
    for (const int link : links) {
      dynamics.jacobian(link, point, J);
      Value entry = Value::map();
      entry.set("link", std::int64_t{link});
      entry.set("name", robot.link(link).name);
      entry.set("jacobian", rowsOf(J));
      list.push_back(std::move(entry));
      show(robot.link(link).name, J);
    }
    result.set("jacobians", std::move(list));
  }
  print(line.json() ? toJson(result) + "\n" : text.str());
  return 0;
}

}  // namespace mortise::app
