#include "mortise/simulation/saving/saved_state.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>

#include "mortise/base/bytes.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/saving/world_export.h"
#include "mortise/simulation/scene/scene_signature.h"
#include "mortise/simulation/scene/substitution.h"
#include "mortise/simulation/simulation_snapshots.h"

namespace mortise {

namespace {

constexpr std::string_view kTag = "mortise state 2\n";
constexpr std::string_view kFamily = "mortise state ";
// Places of world joints are moved along with their bodies when a world is saved, which rounds.
constexpr double kJointTolerance = 1e-6;  // m, rad
constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// For messages: what a damaged or made-up file holds goes nowhere as it is.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  constexpr std::size_t kMaximum = 200;
  if (text.size() > kMaximum) text.replace(kMaximum, std::string::npos, "...");
  return text;
}

/// Names of everything that has an id, one a line.
std::string namesOf(const World& world) {
  std::string names;
  for (int id = 0; id < world.numIds(); ++id) names += world.nameOf(id) + "\n";
  return names;
}

constexpr std::string_view kCalled = ", called ", kRate = ", at ", kSettings = ", settings ";

std::string contactsOf(const Simulation& simulation) {
  return simulation.contactSource() == ContactSource::external ? "boundary_layer" : "engine";
}

/// "controller X of a, called Y, at 100 Hz, settings 0123456789abcdef", one a line; then models of motors.
std::string componentsOf(const Simulation& simulation) {
  std::string text;
  const Value settings = simulation.effectiveSettings();
  for (const Value& entry : settings.at("components").items()) {
    const char* kind = entry.contains("controller") ? "controller" : "sensor";
    text += std::string(kind) + " " + entry.string(kind, "") + " of " + entry.string("robot", "") +
            std::string(kCalled) + entry.string("name", "") + std::string(kRate) + formatReal(entry.real("rate", 0)) +
            " Hz" + std::string(kSettings) + entry.string("settings_hash", "") + "\n";
  }
  if (const Value* motors = settings.find("motors"))
    for (const Value& motor : motors->items())
      text += "motor '" + motor.string("model", "") + "' of driver " + motor.string("driver", "") + " of " +
              motor.string("robot", "") + "\n";
  return text;
}

/// Returns, of each world joint, point and axis in the frame of its first body (the second, when the first is the
/// world), and stops.
std::vector<double> constraintsOf(const Simulation& simulation) {
  const SceneDescription& scene = simulation.sceneMap().description;
  std::vector<double> numbers;
  for (const SceneConstraint& constraint : scene.constraints) {
    const int body = constraint.a >= 0 ? constraint.a : constraint.b;
    const RigidTransform X_BW = body >= 0 ? scene.bodies[body].X_WB.inverse() : RigidTransform();
    const Vector3d point = X_BW * constraint.point, axis = X_BW.R * constraint.axis;
    for (const Vector3d* v : {&point, &axis})
      for (int i = 0; i < 3; ++i) numbers.push_back((*v)[i]);
    numbers.push_back(constraint.lower);
    numbers.push_back(constraint.upper);
  }
  return numbers;
}

std::string_view viewOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Everything in a state's text.
struct Parts {
  std::string backend, contacts, names, components;
  std::vector<double> objects;             ///< 18 an object: X (12), v, w.
  std::vector<std::vector<double>> q, dq;  ///< By robot.
  std::vector<double> joints;              ///< Positions of the world's joints.
  std::uint64_t seed = 0;
  double worldStep = 0;  ///< Time step of the world, s.
  double worldGravity[3] = {0, 0, 0};
  SceneSignature scene;
  std::vector<double> constraints;  ///< Numbers as of `constraintsOf`.
  std::string snapshot;
};

[[noreturn]] void damaged(const SourcePosition& where) { throw Error("the state is damaged", where, "save it again"); }

std::vector<double> readNumbers(ByteReader& in) {
  const std::string bytes = in.getString();
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  return numbers;
}

void putNumbers(ByteWriter& out, const double* numbers, std::size_t count) {
  out.put(std::string_view(reinterpret_cast<const char*>(numbers), count * sizeof(double)));
}

/// Throws `Error` for what is not a state, or not a whole one.
Parts read(std::string_view content, const SourcePosition& where) {
  std::string decoded;
  if (!content.starts_with(kFamily) && fromBase64(content, decoded)) content = decoded;
  if (content.starts_with(kFamily) && !content.starts_with(kTag))
    throw Error("this state was saved by another version, with another layout", where, "save it again");
  if (!content.starts_with(kTag))
    throw Error("this is not a state that was saved here", where,
                "Klamp't's binary states hold the memory of its own engine objects and cannot be read");
  constexpr std::size_t kHead = kTag.size() + sizeof(std::uint64_t);
  if (content.size() < kHead) damaged(where);
  std::uint64_t hash = 0;
  std::memcpy(&hash, content.data() + kTag.size(), sizeof(hash));
  content.remove_prefix(kHead);
  if (hashBytes(content.data(), content.size()) != hash) damaged(where);
  try {
    ByteReader in({reinterpret_cast<const std::byte*>(content.data()), content.size()});
    Parts parts;
    for (std::string* text : {&parts.backend, &parts.contacts, &parts.names, &parts.components}) *text = in.getString();
    parts.objects = readNumbers(in);
    for (auto robots = in.get<std::uint64_t>(); robots > 0; --robots) {
      parts.q.push_back(readNumbers(in));
      parts.dq.push_back(readNumbers(in));
    }
    parts.joints = readNumbers(in);
    in.get(parts.seed);
    in.get(parts.worldStep);
    in.get(parts.worldGravity);
    in.get(parts.scene);
    parts.constraints = readNumbers(in);
    parts.snapshot = in.getString();
    if (!in.atEnd()) damaged(where);
    return parts;
  } catch (const Error&) {
    damaged(where);
  }
}

void requireWorld(const Parts& parts, const World& world, const SourcePosition& where) {
  const std::string here = namesOf(world);
  if (parts.names == here) return;
  const std::string& names = parts.names;
  const auto pair = std::mismatch(names.begin(), names.end(), here.begin(), here.end());
  const auto word = [](const std::string& text, std::string::const_iterator at) {
    const auto start = std::find(std::make_reverse_iterator(at), text.rend(), '\n').base();
    return "'" + printable(std::string(start, std::find(at, text.end(), '\n'))) + "'";
  };
  throw Error("the state was saved in another world: it has " + word(names, pair.first) + " where this one has " +
                  word(here, pair.second),
              where, "use the world that it was saved with");
}

/// Says whether world joints sit on their bodies as they did: their stops count from where the joint is at load, so
/// they may have moved along with it.
bool sameConstraints(const Parts& parts, const std::vector<double>& here) {
  const std::vector<double>& saved = parts.constraints;
  if (saved.size() != here.size() || parts.joints.size() * 8 != saved.size()) return false;
  const auto near = [](double a, double b) { return a == b || std::abs(a - b) <= kJointTolerance * (1 + std::abs(b)); };
  for (std::size_t j = 0; j < parts.joints.size(); ++j) {
    const double *a = saved.data() + 8 * j, *b = here.data() + 8 * j;
    for (int k = 0; k < 6; ++k)
      if (!near(a[k], b[k])) return false;
    const double moved = parts.joints[j];
    if (!(near(a[6], b[6]) && near(a[7], b[7])) && !(near(a[6] - moved, b[6]) && near(a[7] - moved, b[7])))
      return false;
  }
  return true;
}

/// Returns what is not the same here as where the state was saved; empty when everything is.
std::string difference(const Parts& parts, const Simulation& simulation) {
  const auto said = [](const std::string& what, const std::string& saved, const std::string& here) {
    return saved == here ? std::string()
                         : "the state was saved with " + what + printable(saved) + "; here it is " + here;
  };
  std::string text = said("backend ", parts.backend, simulation.backend());
  if (text.empty()) text = said("contacts by ", parts.contacts, contactsOf(simulation));
  if (!text.empty()) return text;
  std::string part = differingPart(parts.scene, signatureOf(simulation.sceneMap().description));
  if (part.empty() && !sameConstraints(parts, constraintsOf(simulation))) part = "joints";
  if (!part.empty()) return "the state was saved in a world with other " + part;
  const std::string here = componentsOf(simulation);
  if (parts.components == here) return text;
  // Of two lists the first entries that are not the same say enough.
  std::size_t start = 0;
  for (std::size_t i = 0; i < std::min(here.size(), parts.components.size()) && here[i] == parts.components[i]; ++i)
    if (here[i] == '\n') start = i + 1;
  const auto entry = [start](const std::string& list) {
    const std::string word = list.substr(start, list.find('\n', start) - start);
    return word.empty() ? std::string("no further component") : word;
  };
  const auto what = [](const std::string& line) { return line.substr(0, line.rfind(kSettings)); };
  // One type has several names, and is called by the one that the file has.
  const auto unnamed = [&what](const std::string& line) {
    const std::string full = what(line);
    const std::size_t name = full.find(kCalled), rate = full.rfind(kRate);
    return name == std::string::npos || rate == std::string::npos || rate < name
               ? full
               : full.substr(0, name) + full.substr(rate);
  };
  const std::string saved = entry(parts.components), now = entry(here);
  if (unnamed(saved) == unnamed(now) && now.starts_with("controller "))
    return "the state was saved with other settings of " + printable(unnamed(now));
  if (what(saved) == what(now)) return "the state was saved with other settings of " + what(now);
  return said("", what(saved), what(now));
}

/// Line and column of the element `<state` in a file; only the file when it cannot be seen.
SourcePosition stateElement(const std::string& file) {
  SourcePosition where = inFile(file);
  std::string text;
  try {
    text = readFile(file);
  } catch (const Error&) {
    return where;
  }
  const std::size_t at = text.find("<state");
  if (at == std::string::npos) return where;
  where.line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const std::size_t lineStart = text.rfind('\n', at);
  where.column = static_cast<int>(at - (lineStart == std::string::npos ? 0 : lineStart + 1)) + 1;
  return where;
}

}  // namespace

std::string toBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned word = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kAlphabet[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

bool fromBase64(std::string_view text, std::string& bytes) {
  static const std::array<signed char, 256> kValues = [] {
    std::array<signed char, 256> values;
    values.fill(-1);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
      values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<signed char>(i);
    return values;
  }();
  bytes.clear();
  unsigned word = 0;
  int count = 0, padding = 0;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) continue;
    const int value = c == '=' ? 0 : kValues[static_cast<unsigned char>(c)];
    if (value < 0 || (c != '=' && padding > 0)) return false;
    padding += c == '=';
    word = word << 6 | static_cast<unsigned>(value);
    if (++count % 4 != 0) continue;
    if (padding > 2) return false;
    for (int k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(word >> (16 - 8 * k) & 255);
    word = 0;
  }
  return count % 4 == 0;
}

std::string stateText(const Simulation& simulation, StateFormat format) {
  const World& world = simulation.world();
  ByteWriter body;
  body.put(std::string_view(simulation.backend()));
  body.put(std::string_view(contactsOf(simulation)));
  body.put(std::string_view(namesOf(world)));
  body.put(std::string_view(componentsOf(simulation)));
  std::vector<double> numbers(18 * world.objects.size());
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    const BodyState& state = simulation.objectState(static_cast<int>(i));
    double* at = numbers.data() + 18 * i;
    state.X_WB.toRows(at);
    for (int k = 0; k < 3; ++k) {
      at[12 + k] = state.v_WB[k];
      at[15 + k] = state.w_WB[k];
    }
  }
  putNumbers(body, numbers.data(), numbers.size());
  body.put(static_cast<std::uint64_t>(world.robots.size()));
  for (int r = 0; r < static_cast<int>(world.robots.size()); ++r)
    for (const VectorXd* v : {&simulation.configuration(r), &simulation.velocity(r)})
      putNumbers(body, v->data(), static_cast<std::size_t>(v->size()));
  numbers.clear();
  for (const JointState& joint : simulation.worldJointStates()) numbers.push_back(joint.position);
  putNumbers(body, numbers.data(), numbers.size());
  const SceneDescription& scene = simulation.sceneMap().description;
  body.put(static_cast<std::uint64_t>(simulation.effectiveSettings().at("seed").asInteger()));
  body.put(world.simulation.timeStep);
  for (int i = 0; i < 3; ++i) body.put(world.simulation.gravity[i]);
  body.put(signatureOf(scene));
  const std::vector<double> constraints = constraintsOf(simulation);
  putNumbers(body, constraints.data(), constraints.size());
  body.put(viewOf(simulation.save()));

  ByteWriter out;
  out.append(kTag.data(), kTag.size());
  out.put(hashBytes(body.bytes().data(), body.bytes().size()));
  out.append(body.bytes().data(), body.bytes().size());
  return format == StateFormat::raw ? std::string(viewOf(out.bytes())) : toBase64(viewOf(out.bytes()));
}

namespace {

std::span<const std::byte> snapshotOf(const Parts& parts) {
  return {reinterpret_cast<const std::byte*>(parts.snapshot.data()), parts.snapshot.size()};
}

std::vector<std::string> editsOf(const Parts& parts, const SourcePosition& where) {
  try {
    return mortise::editsOf(snapshotOf(parts));
  } catch (const Error& error) {
    throw Error("the state does not fit: " + error.message(), where, error.hint());
  }
}

/// Has the simulation in the world of a state, until it is told that it keeps it.
class WorldOfState {
 public:
  WorldOfState(Simulation& simulation, const std::vector<std::string>& edits)
      : simulation_(simulation), changes_(edits != simulation.edits()) {
    if (!changes_) return;
    edits_ = simulation.edits();
    before_ = simulation.save();
    simulation.setEdits(edits);
  }
  ~WorldOfState() {
    if (!changes_) return;
    try {
      simulation_.setEdits(edits_);
      simulation_.restore(before_);
    } catch (const std::exception&) {
      // The error that led here is the one that is told.
    }
  }
  WorldOfState(const WorldOfState&) = delete;
  WorldOfState& operator=(const WorldOfState&) = delete;
  void keep() { changes_ = false; }

 private:
  Simulation& simulation_;
  bool changes_;
  std::vector<std::string> edits_;
  std::vector<std::byte> before_;
};

}  // namespace

void loadState(Simulation& simulation, std::string_view content, const SourcePosition& where,
               const StateRequest& request) {
  const Parts parts = read(content, where);
  WorldOfState world(simulation, editsOf(parts, where));
  requireWorld(parts, simulation.world(), where);
  if (const std::string why = difference(parts, simulation); !why.empty())
    throw Error(why, where, "run with what it was saved with, or start without the state");
  if (request.seed && *request.seed != parts.seed)
    throw Error("the state holds the random streams of seed " + std::to_string(parts.seed) + ", and seed " +
                    std::to_string(*request.seed) + " is asked for",
                where, "leave the seed out, or start without the state");
  try {
    simulation.restore(snapshotOf(parts));
    world.keep();
  } catch (const Error& error) {  // The simulation is as it was.
    throw Error("the state does not fit: " + error.message(), where, error.hint());
  }
  const SimulationSettings& settings = simulation.world().simulation;
  std::optional<double> step = request.timeStep;
  if (!step && settings.timeStep != parts.worldStep) step = settings.timeStep;
  if (step && *step != simulation.timeStep()) simulation.setTimeStep(*step);
  if (settings.gravity != Vector3d(parts.worldGravity[0], parts.worldGravity[1], parts.worldGravity[2]))
    simulation.setGravity(settings.gravity);
}

void checkState(std::string_view content, const SourcePosition& where) { (void)read(content, where); }

bool fitsInPosesOnly(const Simulation& simulation, std::string_view content, std::string& reason) {
  try {
    const Parts parts = read(content, {});
    if (editsOf(parts, {}) != simulation.edits()) return false;  // `loadState` edits the world, or says why not.
    requireWorld(parts, simulation.world(), {});
    reason = difference(parts, simulation);
    return !reason.empty();
  } catch (const Error&) {
    return false;
  }
}

void takePoses(std::string_view content, World& world, const SourcePosition& where) {
  const Parts parts = read(content, where);
  requireWorld(parts, world, where);
  bool fits = parts.objects.size() == 18 * world.objects.size() && parts.q.size() == world.robots.size() &&
              parts.joints.size() == world.simulation.joints.size();
  for (std::size_t r = 0; fits && r < parts.q.size(); ++r)
    fits = static_cast<Eigen::Index>(parts.q[r].size()) == world.robots[r].q.size() &&
           static_cast<Eigen::Index>(parts.dq[r].size()) == world.robots[r].dq.size();
  if (!fits) damaged(where);
  const World before = world;
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    const double* at = parts.objects.data() + 18 * i;
    world.objects[i].X_WO = RigidTransform::fromRows(at);
    world.objects[i].v_WO = Vector3d(at[12], at[13], at[14]);
    world.objects[i].w_WO = Vector3d(at[15], at[16], at[17]);
  }
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    std::copy(parts.q[r].begin(), parts.q[r].end(), world.robots[r].q.data());
    std::copy(parts.dq[r].begin(), parts.dq[r].end(), world.robots[r].dq.data());
  }
  for (std::size_t j = 0; j < world.simulation.joints.size(); ++j) {
    WorldJoint& joint = world.simulation.joints[j];
    const RigidTransform moved = jointMotion(before, world, joint);
    joint.point = moved * joint.point;
    joint.axis = moved.R * joint.axis;
    joint.min -= parts.joints[j];
    joint.max -= parts.joints[j];
  }
}

bool loadWorldState(Simulation& simulation, LogSink& log, const StateRequest& request) {
  const World& world = simulation.world();
  if (world.simulation.stateData.empty()) return false;
  try {
    loadState(simulation, world.simulation.stateData, stateElement(world.file), request);
    return true;
  } catch (const Error& error) {
    substitute(log, {SubstitutionKind::state, "",
                     Error("<state> is left out: " + error.message(), error.where(), error.hint()).what()});
    return false;
  }
}

}  // namespace mortise
