#include <iomanip>
#include <sstream>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/terminal_progress.h"
#include "models/robot_input.h"
#include "mortise/collision/self_collision_search.h"
#include "mortise/inspect/collisions.h"
#include "mortise/json/json_writer.h"

namespace mortise::app {

namespace {

Value pairOf(int a, int b) {
  Value pair = Value::list();
  pair.push_back(std::int64_t{a});
  pair.push_back(std::int64_t{b});
  return pair;
}

/// Pairs that need not be checked, as lines that the reader of that format understands.
std::string ruleLines(const Robot& robot, const std::vector<SelfCollisionPair>& pairs, const std::string& format) {
  std::string text;
  for (const SelfCollisionPair& pair : pairs) {
    if (pair.kind == SelfCollisionClass::sometimes) continue;
    // What a reader leaves out by itself needs no line.
    const bool parentAndChild = robot.link(pair.b).parent == pair.a || robot.link(pair.a).parent == pair.b;
    const std::string &a = robot.link(pair.a).name, &b = robot.link(pair.b).name;
    if (format == "rob") {
      if (!parentAndChild) text += "noselfcollision " + std::to_string(pair.a) + " " + std::to_string(pair.b) + "\n";
    } else if (format == "urdf") {
      if (!parentAndChild) text += (text.empty() ? "" : "  ") + a + " " + b;
    } else {
      text += "  <disable_collisions link1=\"" + a + "\" link2=\"" + b + "\" reason=\"" +
              (pair.kind == SelfCollisionClass::adjacent    ? "Adjacent"
               : pair.kind == SelfCollisionClass::never     ? "Never"
               : pair.kind == SelfCollisionClass::initially ? "Default"
                                                            : "Always") +
              "\"/>\n";
    }
  }
  if (format == "urdf") text = "<noselfcollision pairs=\"" + text + "\"/>\n";
  return text;
}

Value searchJson(const Robot& robot, const std::vector<SelfCollisionPair>& pairs, const SelfCollisionSearchOptions& o) {
  Value result = Value::map(), list = Value::list();
  for (const SelfCollisionPair& pair : pairs) {
    Value entry = Value::map();
    entry.set("links", pairOf(pair.a, pair.b));
    Value names = Value::list();
    names.push_back(robot.link(pair.a).name);
    names.push_back(robot.link(pair.b).name);
    entry.set("names", std::move(names));
    entry.set("class", std::string(selfCollisionClassName(pair.kind)));
    entry.set("collisions", std::int64_t{pair.collisions});
    entry.set("checked", pair.checked);
    list.push_back(std::move(entry));
  }
  result.set("samples", std::int64_t{o.samples});
  result.set("seed", static_cast<std::int64_t>(o.seed));
  result.set("pairs", std::move(list));
  return result;
}

std::string searchText(const Robot& robot, const std::vector<SelfCollisionPair>& pairs,
                       const SelfCollisionSearchOptions& options) {
  std::ostringstream out;
  int counts[5] = {}, idle = 0, missed = 0;
  for (const SelfCollisionPair& pair : pairs) {
    ++counts[static_cast<int>(pair.kind)];
    idle += pair.checked && pair.kind != SelfCollisionClass::sometimes;
    missed += !pair.checked && pair.kind == SelfCollisionClass::sometimes;
  }
  out << robot.name() << ": " << pairs.size() << " pairs of links with shapes, " << options.samples
      << " configurations, seed " << options.seed << "\n";
  for (int kind = 0; kind < 5; ++kind) {
    out << "  " << std::left << std::setw(10) << selfCollisionClassName(static_cast<SelfCollisionClass>(kind))
        << std::right << std::setw(6) << counts[kind] << "\n";
  }
  out << "The file's rules check " << idle << " pairs that need no check, and leave out " << missed
      << " that collide sometimes";
  for (const SelfCollisionPair& pair : pairs) {
    if (pair.checked || pair.kind != SelfCollisionClass::sometimes) continue;
    out << "\n  " << robot.link(pair.a).name << " and " << robot.link(pair.b).name << ": " << std::setprecision(3)
        << 100.0 * pair.collisions / options.samples << " %";
  }
  out << "\n";
  return out.str();
}

/// Prints the pairs that collide at `q`.
void printCollisions(const CommandLine& line, const RobotPtr& robot, const VectorXd& q) {
  inspect::SelfCollisions finder(robot);
  const std::vector<IdPair>& pairs = finder.at(q);
  if (line.json()) {
    Value result = Value::map();
    result.set("self_collisions", finder.describe(q));
    print(toJson(result) + "\n");
  } else {
    std::string text = line.positionals().front() + ": " + std::to_string(pairs.size()) + " of " +
                       std::to_string(robot->description().selfCollisionPairs.size()) + " checked pairs " +
                       (pairs.size() == 1 ? "collides\n" : "collide\n");
    for (const auto& [a, b] : pairs) {
      text += "  " + std::to_string(a) + " " + robot->link(a).name + ", " + std::to_string(b) + " " +
              robot->link(b).name + "\n";
    }
    print(text);
  }
}

}  // namespace

int robotSelfCollisionsCommand(const Arguments& arguments) {
  CommandLine line("mortise robot self-collisions", "links that collide with each other, and pairs worth checking");
  declareRobotInput(line);
  declareConfiguration(line, "config", "the file's initial one")
      .flag("search", "sample configurations, and say which pairs never, always or sometimes collide")
      .option("samples", "N", "configurations of the search; default 10000")
      .option("seed", "N", "of the search; default 0")
      .option("lines", "FORMAT",
              "with --search: print the pairs that need no check as lines for a robot file: rob, urdf or srdf")
      .values("lines", {"rob", "urdf", "srdf"})
      .epilog(
          "Examples:\n"
          "  mortise robot self-collisions arm.rob\n"
          "  mortise robot self-collisions arm.rob --search --lines rob >> arm.rob\n");
  if (!line.parse(arguments)) return 0;
  const std::string format = line.text("lines");
  if (!format.empty() && format != "rob" && format != "urdf" && format != "srdf")
    throw UsageError("--lines takes rob, urdf or srdf, not '" + format + "'");
  for (const char* name : {"samples", "seed", "lines"}) {
    if (line.has(name) && !line.has("search")) throw UsageError(std::string("--") + name + " goes with --search");
  }

  RobotInput input(line);
  const RobotPtr& robot = input.pointer();
  const VectorXd q = input.configuration("config");
  input.finish();

  if (!line.has("search")) {
    printCollisions(line, robot, q);
    return 0;
  }

  SelfCollisionSearchOptions options;
  options.samples = static_cast<int>(line.integer("samples", options.samples));
  options.seed = line.seed();
  if (options.samples < 1 || options.samples > 100000000) throw UsageError("--samples takes 1 to 100000000");
  TerminalProgress progress(!line.quiet() && !line.json());
  const std::vector<SelfCollisionPair> pairs = searchSelfCollisions(robot, options, &progress);
  if (!format.empty())
    print(ruleLines(*robot, pairs, format));
  else if (line.json())
    print(toJson(searchJson(*robot, pairs, options)) + "\n");
  else
    print(searchText(*robot, pairs, options));
  return 0;
}

}  // namespace mortise::app
