#include "rob/rob_parser.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <numbers>
#include <utility>

#include "common/component_xml.h"
#include "common/references.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"

namespace mortise::io {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

using Range = WordReader::Range;

class RobParser {
 public:
  RobParser(const TextFile& file, ReadContext& context) : file_(file), context_(context), out_(context.diagnostics) {
    addHandlers();
  }

  RobFile parse() {
    for (const Statement& statement : splitStatements(file_, true, out_)) {
      if (isExplained(statement)) {
        noteExplanation(statement);
        continue;
      }
      const std::string keyword = lowerCase(statement.keyword.text);
      const auto handler = handlers_.find(keyword);
      if (handler == handlers_.end()) {
        unknown(statement);
        continue;
      }
      WordReader words(file_, statement, out_);
      statement_ = &statement;
      handler->second(words);
      words.expectEnd();
    }
    return std::move(rob_);
  }

 private:
  using Handler = std::function<void(WordReader&)>;

  /// Klamp't's template `blank.rob` explains what a keyword takes, in parentheses or at least with one at the end:
  /// "parents (link parents)".
  static bool isExplained(const Statement& statement) {
    if (statement.words.empty()) return false;
    const Word &first = statement.words.front(), &last = statement.words.back();
    if (!first.quoted && first.text.starts_with('(')) return true;
    return !last.quoted && last.text.ends_with(')') && last.text.find('(') == std::string::npos;
  }

  void noteExplanation(const Statement& statement) {
    if (!std::exchange(rob_.explained, true))
      out_.warning("the file is a template: '" + statement.keyword.text +
                       "' has an explanation in the place of values, which counts as absent",
                   file_.position(statement.keyword.offset), "write values in the place of explanations");
  }

  void unknown(const Statement& statement) {
    const std::string& text = statement.keyword.text;
    std::vector<std::string> names;
    for (const auto& [name, handler] : handlers_) names.push_back(name);
    std::string hint = didYouMean(text, names);
    // A list that goes on in the next line needs a backslash.
    if (hint.empty() && (parseReal(text) || statement.keyword.quoted))
      hint = "a list goes on in the next line only when the line above ends in '\\'";
    if (hint.empty()) hint = listNames(names, 80);
    out_.error("unknown keyword '" + text.substr(0, 40) + "'", file_.position(statement.keyword.offset), hint);
  }

  SourcePosition here() const { return file_.position(statement_->keyword.offset); }

  template <typename T>
  void mark(RobList<T>& list) {
    if (list.position.line == 0) list.position = here();
  }

  /// A list of numbers, one a link or driver.
  Handler numbers(RobList<double> RobFile::*list, Range range, double factor = 1) {
    return [=, this](WordReader& words) {
      mark(rob_.*list);
      for (const double v : words.reals(range)) (rob_.*list).values.push_back(v * factor);
    };
  }

  /// Degrees, except for entries of links that an earlier `jointtype` line has declared prismatic. Klamp't does so for
  /// positions only.
  Handler jointDegrees(RobList<double> RobFile::*list) {
    return [=, this](WordReader& words) {
      mark(rob_.*list);
      for (const double v : words.reals(Range::infinite)) {
        const std::size_t i = (rob_.*list).size();
        const bool prismatic = rob_.jointTypes.at(i, LinkMotion::revolute) == LinkMotion::prismatic;
        (rob_.*list).values.push_back(prismatic ? v : v * kDegree);
      }
    };
  }

  Handler texts(RobList<std::string> RobFile::*list) {
    return [=, this](WordReader& words) {
      mark(rob_.*list);
      while (!words.atEnd()) {
        if (list == &RobFile::geometry) rob_.geometryPositions.push_back(words.position());
        (rob_.*list).values.push_back(*words.text());
      }
    };
  }

  void addHandlers() {
    addLinkHandlers();
    addNumberHandlers();
    addRobotHandlers();
  }

  void add(const char* keyword, Handler handler) { handlers_[keyword] = std::move(handler); }

  /// Lists of names, vectors and poses with an entry a link.
  void addLinkHandlers() {
    add("links", texts(&RobFile::links));
    add("drivers", texts(&RobFile::drivers));
    add("geometry", texts(&RobFile::geometry));
    add("parents", [this](WordReader& words) {
      mark(rob_.parents);
      while (!words.listEnds())
        if (const auto v = words.integer()) rob_.parents.values.push_back(*v);
    });
    add("jointtype", [this](WordReader& words) { readJointTypes(words); });
    add("axis", [this](WordReader& words) {
      mark(rob_.axes);
      while (!words.listEnds())
        if (const auto v = words.vector3()) rob_.axes.values.push_back(*v);
    });
    add("com", [this](WordReader& words) {
      mark(rob_.coms);
      while (!words.listEnds())
        if (const auto v = words.vector3()) rob_.coms.values.push_back(*v);
    });
    add("tparent", [this](WordReader& words) {
      mark(rob_.transforms);
      while (!words.listEnds())
        if (const auto v = words.transform()) rob_.transforms.values.push_back(*v);
    });
    add("inertia", [this](WordReader& words) {
      mark(rob_.inertias);
      while (!words.listEnds())
        // Column by column, unlike every other matrix in these files; matters for those that are not quite symmetric.
        if (const auto v = words.matrix3()) rob_.inertias.values.push_back(v->transpose());
    });
    add("inertiadiag", [this](WordReader& words) {
      mark(rob_.inertias);
      while (!words.listEnds())
        if (const auto v = words.vector3()) rob_.inertias.values.push_back(v->asDiagonal());
    });
  }

  /// Lists of numbers.
  void addNumberHandlers() {
    add("alpha", numbers(&RobFile::alpha, Range::finite));
    add("alphadeg", numbers(&RobFile::alpha, Range::finite, kDegree));
    add("a", numbers(&RobFile::a, Range::finite));
    add("d", numbers(&RobFile::d, Range::finite));
    add("theta", numbers(&RobFile::theta, Range::finite));
    add("thetadeg", numbers(&RobFile::theta, Range::finite, kDegree));
    add("q", numbers(&RobFile::q, Range::finite));
    add("qdeg", numbers(&RobFile::q, Range::finite, kDegree));
    add("qmin", numbers(&RobFile::qMin, Range::infinite));
    add("qmax", numbers(&RobFile::qMax, Range::infinite));
    add("qmindeg", jointDegrees(&RobFile::qMin));
    add("qmaxdeg", jointDegrees(&RobFile::qMax));
    add("velmin", numbers(&RobFile::velocityMin, Range::infinite));
    add("velmax", numbers(&RobFile::velocityMax, Range::infinite));
    add("velmindeg", numbers(&RobFile::velocityMin, Range::infinite, kDegree));
    add("velmaxdeg", numbers(&RobFile::velocityMax, Range::infinite, kDegree));
    add("accmax", numbers(&RobFile::accelerationMax, Range::infinite));
    add("accmaxdeg", numbers(&RobFile::accelerationMax, Range::infinite, kDegree));
    add("torquemax", numbers(&RobFile::torqueMax, Range::infinite));
    add("powermax", numbers(&RobFile::powerMax, Range::infinite));
    add("mass", numbers(&RobFile::masses, Range::finite));
    add("geomscale", numbers(&RobFile::geometryScale, Range::finite));
    add("geommargin", numbers(&RobFile::geometryMargin, Range::finite));
    add("servop", numbers(&RobFile::servoP, Range::finite));
    add("servoi", numbers(&RobFile::servoI, Range::finite));
    add("servod", numbers(&RobFile::servoD, Range::finite));
    add("dryfriction", numbers(&RobFile::dryFriction, Range::finite));
    add("viscousfriction", numbers(&RobFile::viscousFriction, Range::finite));
  }

  /// Adds handlers of what is said once of the robot, or of a joint or driver a line.
  void addRobotHandlers() {
    add("translation", [this](WordReader& words) { rob_.base.p = words.vector3().value_or(Vector3d::Zero()); });
    add("rotation", [this](WordReader& words) { rob_.base.R = words.matrix3().value_or(Matrix3d::Identity()); });
    add("scale", [this](WordReader& words) {
      const auto scale = words.real();
      if (scale && !(*scale > 0)) return words.fail("the scale of a robot must be above 0");
      rob_.scale = scale.value_or(1);
    });
    add("automass", [this](WordReader& words) {
      rob_.autoMass = true;
      rob_.autoMassPosition = here();
      if (!words.atEnd()) rob_.surfaceFraction = words.real().value_or(1);
    });
    // The manual has it without a number; Klamp't's reader then passes over the line.
    add("autotorque", [this](WordReader& words) { rob_.autoTorque = words.atEnd() ? 1 : words.real().value_or(0); });
    add("geomtransform", [this](WordReader& words) { readGeometryTransform(words); });
    add("selfcollision", [this](WordReader& words) { readPairs(words, rob_.selfCollision); });
    add("noselfcollision", [this](WordReader& words) { readPairs(words, rob_.noSelfCollision); });
    for (const char* keyword : {"collision", "nocollision"})
      add(keyword, [](WordReader& words) {
        words.fail("turning collisions with the world on or off in a robot file is not supported");
      });
    add("joint", [this](WordReader& words) { readJoint(words); });
    add("driver", [this](WordReader& words) { readDriver(words); });
    add("mount", [this](WordReader& words) { readMount(words); });
    add("property", [this](WordReader& words) { readProperty(words); });
  }

  void readJointTypes(WordReader& words) {
    mark(rob_.jointTypes);
    while (!words.atEnd()) {
      const Word* word = words.peek();
      if (word->text != "r" && word->text != "p") {
        words.fail("expected 'r' or 'p', found '" + word->text.substr(0, 40) + "'");
        return;
      }
      rob_.jointTypes.values.push_back(word->text == "r" ? LinkMotion::revolute : LinkMotion::prismatic);
      words.text();
    }
  }

  void readGeometryTransform(WordReader& words) {
    const SourcePosition where = words.position();
    const auto index = words.integer();
    double m[16];
    for (double& v : m) v = words.real().value_or(0);
    if (words.failed()) return;
    if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
      return words.fail("the last row of a 4x4 transform must be 0 0 0 1");
    AffineMap map;
    map.A << m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10];
    map.t << m[3], m[7], m[11];
    rob_.geometryTransforms.emplace_back(*index, map);
    rob_.geometryTransformPositions.push_back(where);
  }

  void readPairs(WordReader& words, std::vector<LinkPair>& pairs) {
    while (!words.atEnd()) {
      LinkPair pair;
      pair.position = words.position();
      pair.first = *words.text();
      const auto second = words.text();
      if (!second) return;
      pair.second = *second;
      pairs.push_back(std::move(pair));
    }
  }

  void readJoint(WordReader& words) {
    static const std::vector<std::pair<std::string, JointType>> kTypes = {{"weld", JointType::weld},
                                                                          {"normal", JointType::normal},
                                                                          {"spin", JointType::spin},
                                                                          {"floating", JointType::floating},
                                                                          {"floatingplanar", JointType::floatingPlanar},
                                                                          {"ballandsocket", JointType::ballAndSocket}};
    const SourcePosition where = here();
    const Word* word = words.peek();
    if (word == nullptr) return words.fail("expected the type of the joint");
    const std::string name = lowerCase(word->text);
    if (name == "closed") return readClosedJoint(words, where);
    const auto type =
        std::find_if(kTypes.begin(), kTypes.end(), [&name](const auto& entry) { return entry.first == name; });
    if (type == kTypes.end()) {
      std::vector<std::string> names;
      for (const auto& entry : kTypes) names.push_back(entry.first);
      names.emplace_back("closed");
      return words.fail("'" + word->text.substr(0, 40) + "' is not a joint type", suggestAndList(name, names));
    }
    words.text();
    Joint joint;
    joint.type = type->second;
    joint.link = words.integer().value_or(0);
    const bool chain = joint.type == JointType::floating || joint.type == JointType::floatingPlanar ||
                       joint.type == JointType::ballAndSocket;
    if (chain && !words.atEnd()) joint.base = words.integer().value_or(-1);
    if (!words.failed()) rob_.jointLines.emplace_back(joint, where);
  }

  /// `closed LINK`, and perhaps the link at which the loop closes.
  void readClosedJoint(WordReader& words, const SourcePosition& where) {
    words.text();
    const auto link = words.integer();
    if (!words.atEnd()) words.integer();
    if (link && !words.failed()) rob_.closedJoints.emplace_back(*link, where);
  }

  void readDriver(WordReader& words) {
    static const std::vector<std::string> kTypes = {"normal", "affine", "translation", "rotation"};
    const SourcePosition where = here();
    const Word* word = words.peek();
    if (word == nullptr) return words.fail("expected the type of the driver");
    const auto type = std::find(kTypes.begin(), kTypes.end(), word->text);
    if (type == kTypes.end())
      return words.fail("'" + word->text.substr(0, 40) + "' is not a driver type", suggestAndList(word->text, kTypes));
    words.text();
    Driver driver;
    driver.type = static_cast<DriverType>(type - kTypes.begin());
    if (driver.type == DriverType::affine) {
      readAffine(words, driver);
    } else {
      driver.links.push_back(words.integer().value_or(0));
      if (driver.type != DriverType::normal) driver.links.push_back(words.integer().value_or(0));
    }
    if (!words.failed()) rob_.driverLines.emplace_back(std::move(driver), where);
  }

  static void readAffine(WordReader& words, Driver& driver) {
    const std::size_t available = words.remaining();
    const auto count = words.integer();
    if (!count) return;
    if (*count < 1 || static_cast<std::size_t>(*count) > available / 3)
      return words.fail("an affine driver of " + std::to_string(*count) + " links does not fit this line",
                        "give: affine COUNT, COUNT links, COUNT scales, COUNT offsets, qmin qmax vmin vmax tmin tmax");
    for (int i = 0; i < *count; ++i) driver.links.push_back(words.integer().value_or(0));
    for (int i = 0; i < *count; ++i) driver.scale.push_back(words.real().value_or(1));
    for (int i = 0; i < *count; ++i) driver.offset.push_back(words.real().value_or(0));
    for (double* limit :
         {&driver.qMin, &driver.qMax, &driver.velocityMin, &driver.velocityMax, &driver.torqueMin, &driver.torqueMax})
      *limit = words.real(Range::infinite).value_or(0);
  }

  void readMount(WordReader& words) {
    RobMount mount;
    const auto link = words.text();
    mount.position = words.position();
    const auto file = words.text();
    if (!link || !file) return;
    mount.link = *link;
    mount.file = *file;
    if (!words.atEnd() && words.peek()->text != "as") mount.X_LM = words.transform().value_or(RigidTransform());
    if (!words.atEnd()) {
      if (words.peek()->text != "as") return words.fail("expected 'as NAME' after the transform");
      words.text();
      mount.prefix = words.text().value_or("");
    }
    if (!words.failed()) rob_.mounts.push_back(std::move(mount));
  }

  void readProperty(WordReader& words) {
    const auto name = words.text();
    if (!name) return;
    const SourcePosition where = words.position();
    const Word* value = words.peek();
    const bool single = words.remaining() == 1;
    std::string text;
    if (single) {
      text = value->text;
    } else if (value != nullptr) {
      text = withoutComments(file_.text(), true).substr(value->offset, statement_->end - value->offset);
    }
    while (!words.atEnd()) words.text();
    if (*name != "sensors" && *name != "controller") {
      rob_.properties.emplace_back(*name, std::move(text));
      return;
    }
    Value& target = *name == "sensors" ? rob_.sensors : rob_.controller;
    const auto read = *name == "sensors" ? &readSensors : &readController;
    loadReference(out_, where, [&] {
      if (extensionOf(text) == "xml") {
        target = read(XmlFile(context_.loader.find(text, context_.path)), out_);
      } else {
        // Empty lines and blanks in front keep the positions in the robot file.
        const SourcePosition begin = value != nullptr ? file_.position(value->offset) : where;
        const bool quoted = value != nullptr && file_.text()[value->offset] == '"';
        const std::string padding = std::string(static_cast<std::size_t>(begin.line - 1), '\n') +
                                    std::string(static_cast<std::size_t>(begin.column - (quoted ? 0 : 1)), ' ');
        target = read(XmlFile(TextFile(context_.path, padding + (single ? text : translateEscapes(text)))), out_);
      }
      return true;
    });
  }

  const TextFile& file_;
  ReadContext& context_;
  Diagnostics& out_;
  const Statement* statement_ = nullptr;
  RobFile rob_;
  std::map<std::string, Handler> handlers_;
};

}  // namespace

RobFile parseRob(const TextFile& file, ReadContext& context) { return RobParser(file, context).parse(); }

}  // namespace mortise::io
