// Functions are short enough to be read at once: at most 60 lines, and the few that are longer are listed here.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace mortise {
namespace {

namespace fs = std::filesystem;

const fs::path kMeasuredTree = MORTISE_SOURCE_DIR;
constexpr int kMaxLines = 60;
constexpr std::size_t kMaxExceptions = 40;
constexpr std::ptrdiff_t kMaxFiles = 30;

struct Function {
  std::string name;
  int first = 0, lines = 0;
};

/// Overwrites comments, what stands in quotes and preprocessor lines with spaces; lines stay where they are.
std::string withoutWords(std::string text) {
  const auto erase = [&text](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, text.size()); ++i)
      if (text[i] != '\n') text[i] = ' ';
  };
  const auto after = [&text](const std::string& what, std::size_t from) {
    const std::size_t at = text.find(what, from);
    return at == std::string::npos ? text.size() : at + what.size();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      erase(i, after("\n", i));
    } else if (text.compare(i, 2, "/*") == 0) {
      erase(i, after("*/", i + 2));
    } else if (text.compare(i, 2, "R\"") == 0) {
      const std::size_t open = text.find('(', i);
      const std::size_t end = after(")" + text.substr(i + 2, open - i - 2) + "\"", open);
      erase(i, end);
      i = end - 1;
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      erase(i + 1, end);
      i = end;
    }
  }
  bool goesOn = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = after("\n", begin);
    const std::size_t word = text.find_first_not_of(" \t", begin);
    const bool directive = goesOn || (word < end && text[word] == '#');
    goesOn = directive && end >= 2 && text[end - 2] == '\\';
    if (directive) erase(begin, end);
    begin = end;
  }
  return text;
}

enum class Scope { declarations, function, initializer, other };

/// Says what begins at a brace behind `head`, the text since the last declaration.
Scope scopeOf(std::string head) {
  head = std::regex_replace(head, std::regex("\\s+"), " ");
  head.erase(0, head.find_first_not_of(' '));
  while (!head.empty() && head.back() == ' ') head.pop_back();
  // Members of a constructor's list: the brace that follows a name is no body.
  static const std::regex list("\\) ?(noexcept )?:(?!:)");
  if (!head.empty() &&
      (std::isalnum(static_cast<unsigned char>(head.back())) != 0 || head.back() == '_' || head.back() == '>') &&
      std::regex_search(head, list))
    return Scope::initializer;
  static const std::regex type("^(template ?<.*> ?)?(typedef )?(class|struct|union)\\b[^(]*$"),
      space("^(inline )?(namespace|extern)\\b[^(]*$"), value("^[^(]*[^=!<>]= ?[^\\[]*$"), lambda("= ?\\[");
  if (std::regex_search(head, type) || std::regex_search(head, space)) return Scope::declarations;
  if (head.starts_with("enum")) return Scope::other;
  if (std::regex_search(head, lambda)) return Scope::function;
  const bool isOperator = head.find("operator") != std::string::npos;
  if (head.find('(') == std::string::npos || (!isOperator && std::regex_search(head, value))) return Scope::other;
  return Scope::function;
}

/// Finds functions of C++ with the lines from their first word to their last brace. Lambdas count as part of the
/// function around them. No parser: braces are counted outside of comments and quotes.
std::vector<Function> functionsOfCpp(const std::string& source) {
  struct Open {
    Scope scope;
    int first;
    std::string head;
  };
  std::vector<Function> functions;
  std::vector<Open> open;
  std::string head;
  int line = 1, first = 0, depth = 0;
  const auto among = [&open](Scope scope) {
    return std::any_of(open.begin(), open.end(), [scope](const Open& each) { return each.scope == scope; });
  };
  for (const char c : withoutWords(source)) {
    const bool listed = !open.empty() && open.back().scope == Scope::initializer;
    if (c == '\n') ++line;
    if (c == '{') {
      const bool inside = among(Scope::function) || among(Scope::other) || listed || depth > 0;
      const Scope scope = inside ? Scope::other : scopeOf(head);
      open.push_back({scope, first > 0 ? first : line, head});
      if (scope == Scope::initializer || listed) continue;
      head.clear();
      first = 0;
    } else if (c == '}') {
      if (open.empty()) continue;
      const Open closed = open.back();
      open.pop_back();
      if (closed.scope == Scope::initializer || (!open.empty() && open.back().scope == Scope::initializer)) continue;
      if (closed.scope == Scope::function) functions.push_back({closed.head, closed.first, line - closed.first + 1});
      head.clear();
      first = 0;
    } else if (c == ';' && depth == 0) {
      head.clear();
      first = 0;
    } else if (!listed) {
      depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
      if (first == 0 && std::isspace(static_cast<unsigned char>(c)) == 0) first = line;
      head += c;
      static const std::regex access("^\\s*(public|private|protected):$");
      if (c == ':' && std::regex_match(head, access)) {
        head.clear();
        first = 0;
      }
    }
  }
  for (Function& function : functions) {
    static const std::regex name("(operator[^(]*|[~\\w:]+)\\s*\\(");
    std::smatch match;
    if (std::regex_search(function.name, match, name)) function.name = match[1];
  }
  return functions;
}

/// Finds functions of Python by their indentation.
std::vector<Function> functionsOfPython(const std::string& source) {
  std::vector<Function> functions;
  std::vector<std::pair<std::size_t, std::size_t>> open;  // Indentation, index.
  std::istringstream stream(source);
  static const std::regex def("^( *)(async )?def (\\w+)");
  int number = 0, last = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos) continue;
    std::smatch match;
    const bool begins = std::regex_search(line, match, def);
    while (!open.empty() && indent <= open.back().first && line[indent] != ')' && line[indent] != '"') {
      Function& ended = functions[open.back().second];
      ended.lines = last - ended.first + 1;
      open.pop_back();
    }
    if (begins) {
      open.emplace_back(indent, functions.size());
      functions.push_back({match[3], number, 0});
    }
    last = number;
  }
  for (const auto& [indent, index] : open) functions[index].lines = last - functions[index].first + 1;
  return functions;
}

std::string contentOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Lists the functions that are too long, as "file name", with their lines.
std::map<std::string, int> longFunctions() {
  std::map<std::string, int> found;
  for (const char* folder :
       {"kernel", "serialization", "toolbox", "runtime", "workbench", "plugins", "apps", "python", "sdk", "bench"})
    for (const auto& entry : fs::recursive_directory_iterator(kMeasuredTree / folder)) {
      const std::string ending = entry.path().extension();
      const bool cpp = ending == ".h" || ending == ".cpp" || ending == ".inc";
      if (!cpp && ending != ".py") continue;
      const std::string source = contentOf(entry.path());
      for (const Function& function : cpp ? functionsOfCpp(source) : functionsOfPython(source))
        if (function.lines > kMaxLines) {
          int& lines = found[fs::relative(entry.path(), kMeasuredTree).string() + " " + function.name];
          lines = std::max(lines, function.lines);
        }
    }
  return found;
}

/// Functions that may be longer: what is quick because it is one piece, lists of cases or data, and what still has to
/// be divided. One that gets short is taken out, so that the list only ever shrinks.
const std::vector<std::string> kExceptions = {
    "apps/mortise/planning/plan.cpp plan",
    "kernel/mortise/geometry/geometry.cpp Geometry::bounds",
    "python/klampt/model/workspace.py _explore",
    "runtime/mortise/planning/settings/start_goal_reader.cpp StartGoalReader::goal",
    "runtime/mortise/simulation/actuation/actuator.cpp ActuatorBank::driveLinks",
    "runtime/mortise/simulation/actuation/drive_limits.cpp limitDrive",
    "runtime/mortise/simulation/stepping/physics_stepper.cpp PhysicsStepper::stepWithSubdivision",
    "toolbox/mortise/collision/bvh/bvh.cpp cut",
    "toolbox/mortise/collision/bvh/ray_kernels.inc visitAlongRay",
    "toolbox/mortise/collision/element/element_point.cpp ellipsoidPoint",
    "toolbox/mortise/collision/element/element_polytope.cpp nearestWithBox",
    "toolbox/mortise/collision/element/epa.cpp start",
    "toolbox/mortise/collision/shape.cpp CollisionShape::findPieces",
    "toolbox/mortise/collision/volume/volume_ray.cpp VolumeField::rayCast",
    "toolbox/mortise/collision/world_collider.cpp WorldCollider::WorldCollider",
    "toolbox/mortise/contacts/contact_front.cpp pair",
    "toolbox/mortise/contacts/contact_layer.cpp probe",
    "toolbox/mortise/contacts/contact_recovery.cpp recover",
    "toolbox/mortise/contacts/contact_surface.cpp ContactSurface::addPrimitive",
    "toolbox/mortise/contacts/contact_surface.cpp ContactSurface::addTriangles",
    "toolbox/mortise/contacts/grid_surface.cpp GridSurface::made",
    "toolbox/mortise/control/actuated_dynamics.cpp ActuatedDynamics::ActuatedDynamics",
    "toolbox/mortise/dynamics/forward_dynamics.cpp RobotDynamics::Data::solveCarefully",
    "toolbox/mortise/geometry/convex/convex_hull.cpp addPoint",
    "toolbox/mortise/geometry/convex/mesh_recognition.cpp recognizeBox",
    "toolbox/mortise/ik/equations/ik_equations.cpp IKEquations::addBlock",
    "toolbox/mortise/ik/equations/ik_equations.cpp IKEquations::residualOf",
    "toolbox/mortise/mechanics/support_polygon.cpp SupportPolygon::SupportPolygon",
    "toolbox/mortise/optimization/bounded_least_squares.cpp BoundedLeastSquares::solve",
    "toolbox/mortise/planning/paths/retime.cpp retime",
    "toolbox/mortise/planning/paths/space_limits.cpp motionLimits",
    "toolbox/mortise/rigid_body/joint_forest.cpp RowSolver::findForest",
    "toolbox/mortise/rigid_body/row_islands.cpp RowSolver::sweepUntilSettled",
    "toolbox/mortise/timing/contact_bounds.cpp ContactBounds::addRows",
    "toolbox/mortise/timing/multipath/constrained_curve.cpp constrainedCurve",
};

TEST(LongFunctions, AreFew) {
  EXPECT_LE(kExceptions.size(), kMaxExceptions);
  const std::map<std::string, int> found = longFunctions();
  for (const auto& [name, lines] : found)
    EXPECT_TRUE(std::find(kExceptions.begin(), kExceptions.end(), name) != kExceptions.end())
        << name << " has " << lines << " lines: divide it where one thing ends and another begins";
  for (const std::string& name : kExceptions)
    EXPECT_EQ(found.count(name), 1u) << name << " has at most " << kMaxLines << " lines: take it out of the list";
}

TEST(LongFunctions, AreCounted) {
  const auto linesOf = [](const std::string& source) {
    std::map<std::string, int> lines;
    for (const Function& function : functionsOfCpp(source)) lines[function.name] = function.lines;
    return lines;
  };
  const auto lines = linesOf(
      "namespace a {\n"
      "struct S : B {\n"
      "  S(int x)\n"
      "      : a_{x}, b_(x) {\n"
      "    f({1, 2});\n"
      "  }\n"
      "  int one() const { return 1; }  // }\n"
      "  int a_{}, b_ = 2;\n"
      "};\n"
      "const std::vector<int> kNumbers = {1,\n"
      "                                   2};\n"
      "template <typename T>\n"
      "bool operator==(const T& a, const char* text = \"{\") {\n"
      "  if (a) {\n"
      "    return [&] { return '}'; }();\n"
      "  }\n"
      "  return false;\n"
      "}\n"
      "}\n");
  EXPECT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines.at("S"), 4);
  EXPECT_EQ(lines.at("one"), 1);
  EXPECT_EQ(lines.at("operator=="), 7);
  const auto python = functionsOfPython("def f(a,\n      b):\n    def g():\n        pass\n\n    return g\n\n\nx = 1\n");
  ASSERT_EQ(python.size(), 2u);
  EXPECT_EQ(python[0].lines, 6);
  EXPECT_EQ(python[1].lines, 2);
}

TEST(Rooms, HoldAtMostThirtyFiles) {
  for (const char* folder : {"kernel", "serialization", "toolbox", "runtime", "workbench", "plugins", "apps",
                             "python/src", "python/mortise", "python/klampt", "viewer/src", "tests"}) {
    std::map<fs::path, std::ptrdiff_t> files;
    for (const auto& entry : fs::recursive_directory_iterator(kMeasuredTree / folder))
      if (entry.is_regular_file() && entry.path().string().find("corpus") == std::string::npos &&
          entry.path().extension() != ".pyc")
        ++files[entry.path().parent_path()];
    for (const auto& [room, count] : files)
      EXPECT_LE(count, kMaxFiles) << fs::relative(room, kMeasuredTree).string()
                                  << ": give what belongs together a folder";
  }
}

}  // namespace
}  // namespace mortise
