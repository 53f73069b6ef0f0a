#include "models/robot_trace.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "command_line/commands.h"
#include "command_line/resource_options.h"
#include "models/robot_input.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/geometry/tessellate.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/inspect/motion_info.h"
#include "mortise/json/json_writer.h"
#include "mortise/math/rotation.h"
#include "mortise/model/robot_state.h"

namespace mortise::app {

namespace {

constexpr double kMaxSamples = 1e6;

/// A motion of the robot, and the times at which it is checked.
struct Trace {
  inspect::Motion motion;
  std::vector<double> times;
};

std::vector<double> milestoneTimes(const Resource& resource) {
  if (const auto* path = std::get_if<Trajectory>(&resource)) return path->times;
  if (const auto* path = std::get_if<HermiteTrajectory>(&resource)) return path->times;
  return {};
}

Trace openTrace(const CommandLine& line, RobotInput& input, const std::string& file) {
  const std::string path = input.loader().find(file, {});
  const std::optional<FileContent> kind = input.loader().contentOf(path);
  if (!kind || !inspect::Motion::holds(*kind))
    throw Error("'" + file + "' holds no motion", {}, "name a .path, .milestones, .configs or MultiPath .xml file");
  Trace trace = {inspect::Motion(input.loader().load(*kind, path, {}, input.diagnostics())), {}};
  input.finish();
  if (trace.motion.dimension() != input.robot().numLinks())
    throw Error("the configurations of '" + file + "' have " + std::to_string(trace.motion.dimension()) +
                " numbers, but robot '" + input.robot().name() + "' has " + std::to_string(input.robot().numLinks()) +
                " links");
  const double start = trace.motion.startTime(), end = trace.motion.endTime();
  const double step = line.quantity("every", "s", 0.01);
  if (!(step > 0) || !((end - start) / step < kMaxSamples))
    throw UsageError("--every takes a time that the path holds at most a million times, not '" + line.text("every") +
                     "'");
  if (!line.has("every")) trace.times = milestoneTimes(trace.motion.resource());
  const auto count = static_cast<long>(std::floor((end - start) / step * (1 + 1e-12)));
  const bool given = !trace.times.empty();
  for (long i = 0; !given && i <= count; ++i) trace.times.push_back(start + step * static_cast<double>(i));
  if (!given && trace.times.back() < end) trace.times.push_back(end);
  return trace;
}

std::string csvName(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// time, then for each link x, y, z and a rotation vector.
std::string csvTable(const Robot& robot, const Trace& trace, const std::vector<int>& links) {
  std::ostringstream out;
  out << "time";
  for (const int link : links)
    for (const char* what : {"x", "y", "z", "rx", "ry", "rz"})
      out << "," << csvName(robot.link(link).name + "." + what);
  out << "\n";
  RobotState state(robot);
  VectorXd q(robot.numLinks()), dq(robot.numLinks());
  for (const double t : trace.times) {
    trace.motion.evaluate(t, q, dq);
    state.q = q;
    updateFrames(robot, state);
    out << formatReal(t);
    for (const int link : links) {
      const RigidTransform& X = state.X_WL[static_cast<std::size_t>(link)];
      const Vector3d turn = momentFromRotation(X.R);
      for (const Vector3d* v : {&X.p, &turn})
        for (int i = 0; i < 3; ++i) out << "," << formatReal((*v)[i]);
    }
    out << "\n";
  }
  return out.str();
}

Value jsonTable(const Robot& robot, const Trace& trace, const std::vector<int>& links) {
  Value result = Value::map(), samples = Value::list();
  RobotState state(robot);
  VectorXd q(robot.numLinks()), dq(robot.numLinks());
  for (const double t : trace.times) {
    trace.motion.evaluate(t, q, dq);
    state.q = q;
    updateFrames(robot, state);
    Value sample = Value::map(), list = Value::list();
    sample.set("t", t);
    for (const int link : links) {
      const RigidTransform& X = state.X_WL[static_cast<std::size_t>(link)];
      std::vector<double> rows;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) rows.push_back(X.R(r, c));
      for (int i = 0; i < 3; ++i) rows.push_back(X.p[i]);
      Value entry = Value::map();
      entry.set("name", robot.link(link).name);
      entry.set("T", rows);
      list.push_back(std::move(entry));
    }
    sample.set("links", std::move(list));
    samples.push_back(std::move(sample));
  }
  result.set("samples", std::move(samples));
  return result;
}

/// The shapes of all links where the configuration puts them, as one mesh.
TriangleMesh robotMesh(const Robot& robot, const VectorXd& q, double resolution) {
  RobotState state(robot);
  state.q = q;
  updateFrames(robot, state);
  GeometryGroup group;
  for (int i = 0; i < robot.numLinks(); ++i) {
    const GeometryPtr& shape = robot.link(i).geometry;
    if (shape && !shape->empty())
      group.parts.push_back(transformed(*shape, AffineMap(state.X_WL[static_cast<std::size_t>(i)])));
  }
  if (group.parts.empty()) throw Error("no link of robot '" + robot.name() + "' has a shape");
  return tessellated(Geometry(std::move(group)), resolution);
}

}  // namespace

void declareTraceOptions(CommandLine& line) {
  line.option("every", "DT", "sample the motion so often (default: at its milestones; a MultiPath every 10ms)")
      .option("output,o", "FILE", "write the table to this .csv file (default: standard output)");
}

int traceMotion(const CommandLine& line, RobotInput& input, const std::string& file,
                const std::vector<std::string>& names) {
  const Trace opened = openTrace(line, input, file);
  std::vector<int> links;
  for (const std::string& name : names) links.push_back(input.link("link", name));
  if (links.empty())
    for (int i = 0; i < input.robot().numLinks(); ++i) links.push_back(i);
  if (line.json()) {
    print(toJson(jsonTable(input.robot(), opened, links)) + "\n");
    return 0;
  }
  const std::string table = csvTable(input.robot(), opened, links);
  if (line.has("output"))
    writeFile(line.text("output"), table);
  else
    print(table);
  return 0;
}

int robotTraceCommand(const Arguments& arguments) {
  CommandLine line("mortise robot trace", "where the links of a robot are while it moves, as CSV or JSON");
  declareRobotInput(line);
  line.positional("MOTION", ".path, .milestones, .configs or MultiPath .xml")
      .repeatedOption("link", "NAME", "only this link, by name or number; may be repeated (default: all)");
  declareTraceOptions(line);
  line.epilog(
      "Columns: time, and for each link LINK.x, .y, .z (m) and the rotation vector LINK.rx, .ry, .rz (rad), in the "
      "world.\n"
      "With --json {samples: [{t, links: [{name, T}]}]}, T 12 numbers: the rotation row by row, then the position.\n"
      "Example:\n"
      "  mortise robot trace data/robots/reacher.rob data/motions/reacher_sweep.path --link tool --every 500ms\n");
  if (!line.parse(arguments)) return 0;
  RobotInput input(line);
  return traceMotion(line, input, line.positionals()[1], line.texts("link"));
}

int robotMeshCommand(const Arguments& arguments) {
  CommandLine line("mortise robot mesh", "write a robot in a configuration as one mesh");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's");
  line.option("output,o", "FILE", "mesh to write (.off, .stl, .obj, .ply)")
      .option("resolution", "LENGTH", "of facets of round shapes (default 10mm)");
  if (!line.parse(arguments)) return 0;
  if (!line.has("output")) throw UsageError("missing --output FILE");
  RobotInput input(line);
  const VectorXd q = input.configuration("q");
  input.finish();
  const double resolution = line.quantity("resolution", "m", 0.01);
  if (!(resolution > 0)) throw UsageError("--resolution takes a length above 0");
  TriangleMesh mesh = robotMesh(input.robot(), q, resolution);
  const std::size_t vertices = mesh.vertices.size(), triangles = mesh.triangles.size();
  Diagnostics writing;
  input.loader().write(GeometryPtr(std::make_shared<Geometry>(std::move(mesh))), line.text("output"), writing);
  printWarnings(line, writing);
  writing.throwIfErrors();
  Value done = Value::map();
  done.set("output", line.text("output"));
  done.set("vertices", static_cast<std::int64_t>(vertices));
  done.set("triangles", static_cast<std::int64_t>(triangles));
  if (line.json())
    print(toJson(done) + "\n");
  else if (!line.quiet())
    print(line.text("output") + ": " + std::to_string(vertices) + " vertices, " + std::to_string(triangles) +
          " triangles\n");
  return 0;
}

}  // namespace mortise::app
