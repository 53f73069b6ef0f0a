#include "resource/resource_json.h"

#include <algorithm>
#include <array>

#include "common/constraint_names.h"
#include "mortise/text/article.h"
#include "mortise/text/suggest.h"
#include "resource/resource_text.h"

namespace mortise::io {

namespace {

struct TypeName {
  FileContent kind;
  std::string_view type;
};

/// The first name of a kind is the one we write.
constexpr std::array<TypeName, 31> kResourceTypes = {{{FileContent::configuration, "Config"},
                                                      {FileContent::configuration, "Vector"},
                                                      {FileContent::configurations, "Configs"},
                                                      {FileContent::trajectory, "LinearPath"},
                                                      {FileContent::trajectory, "Trajectory"},
                                                      {FileContent::trajectory, "SO3Trajectory"},
                                                      {FileContent::trajectory, "SE3Trajectory"},
                                                      {FileContent::hermiteTrajectory, "HermiteTrajectory"},
                                                      {FileContent::multipath, "MultiPath"},
                                                      {FileContent::multipath, "multipath"},
                                                      {FileContent::ikGoal, "IKGoal"},
                                                      {FileContent::ikGoal, "IKObjective"},
                                                      {FileContent::contactPoint, "ContactPoint"},
                                                      {FileContent::hold, "Hold"},
                                                      {FileContent::stance, "Stance"},
                                                      {FileContent::grasp, "Grasp"},
                                                      {FileContent::vector3, "Vector3"},
                                                      {FileContent::matrix3, "Matrix3"},
                                                      {FileContent::matrix3, "Rotation"},
                                                      {FileContent::transform, "RigidTransform"},
                                                      {FileContent::matrix, "Matrix"},
                                                      {FileContent::integers, "IntArray"},
                                                      {FileContent::integers, "vector<int>"},
                                                      {FileContent::numbers, "FloatArray"},
                                                      {FileContent::numbers, "vector<double>"},
                                                      {FileContent::geometry, "Geometry3D"},
                                                      {FileContent::geometry, "TriMesh"},
                                                      {FileContent::geometry, "PointCloud"},
                                                      {FileContent::robot, "Robot"},
                                                      {FileContent::rigidObject, "RigidObject"},
                                                      {FileContent::world, "World"}}};

using Position = IKGoal::Position;
using Rotation = IKGoal::Rotation;

class ResourceReader {
 public:
  ResourceReader(const JsonFile& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  Resource read(const JsonValue& value) {
    const auto known = jsonKind(value);
    if (!known || *known == FileContent::library) file_.fail("a resource of Klamp't's", value);
    const FileContent kind = *known;
    if (value.isList()) return bare(kind, value);
    const JsonValue* data = value.find("data");
    if (data != nullptr && data->isString() && hasText(kind))
      return readEmbeddedText(kind, data->text, file_.position(*data), diagnostics_);
    if (kind == FileContent::trajectory || kind == FileContent::hermiteTrajectory) return path(value);
    if (kind == FileContent::multipath) return multiPath(value);
    if (kind == FileContent::ikGoal) return goal(value);
    if (kind == FileContent::contactPoint) return contact(value);
    if (kind == FileContent::hold) return hold(value);
    if (kind == FileContent::stance) return stance(value);
    if (kind == FileContent::grasp) return grasp(value);
    if (kind == FileContent::configurations && value.find("configs") != nullptr) {
      expectKeys(value, {"configs"});
      return ConfigurationList{vectors(file_.at(value, "configs"))};
    }
    expectKeys(value, {"data"});
    return bare(kind, file_.at(value, "data"));
  }

 private:
  /// Without an object around it.
  Resource bare(FileContent kind, const JsonValue& value) {
    if (kind == FileContent::configuration) return file_.vector(value);
    if (kind == FileContent::configurations) return ConfigurationList{vectors(value)};
    if (kind == FileContent::vector3) return file_.vector3(value);
    if (kind == FileContent::numbers) return file_.reals(value);
    if (kind == FileContent::integers) {
      std::vector<int> numbers;
      for (const JsonValue& item : file_.list(value)) numbers.push_back(file_.integer(item));
      return numbers;
    }
    if (kind == FileContent::transform) {
      const auto& parts = file_.list(value);
      if (parts.size() != 2) file_.fail("a list of nine and a list of three numbers", value);
      return RigidTransform(columns(parts[0]), file_.vector3(parts[1]));
    }
    if (kind == FileContent::matrix3 && value.isListOfNumbers()) return columns(value);
    if (kind == FileContent::matrix3 || kind == FileContent::matrix) {
      const Eigen::MatrixXd M = rows(value);
      if (kind == FileContent::matrix) return M;
      if (M.rows() != 3 || M.cols() != 3) file_.fail("three rows of three numbers", value);
      return Matrix3d(M);
    }
    file_.fail("the data of " + withArticle(contentName(kind)), value);
  }

  /// Klamp't's so3: nine numbers, column after column.
  Matrix3d columns(const JsonValue& value) const {
    const VectorXd v = file_.vector(value);
    if (v.size() != 9) file_.fail("nine numbers, column after column", value);
    return Eigen::Map<const Matrix3d>(v.data());
  }

  Eigen::MatrixXd rows(const JsonValue& value) const {
    const std::vector<VectorXd> list = vectors(value);
    Eigen::MatrixXd M(std::ssize(list), list.empty() ? 0 : list[0].size());
    for (std::size_t row = 0; row < list.size(); ++row) {
      if (list[row].size() != M.cols()) file_.fail("rows of one length", value.items[row]);
      M.row(static_cast<Eigen::Index>(row)) = list[row].transpose();
    }
    return M;
  }

  std::vector<VectorXd> vectors(const JsonValue& value) const {
    std::vector<VectorXd> all;
    for (const JsonValue& item : file_.list(value)) all.push_back(file_.vector(item));
    return all;
  }

  /// Warns about keys that mean nothing. `type`, `name` and `file` belong to the holder of the value.
  void expectKeys(const JsonValue& value, std::vector<std::string> known) {
    known.insert(known.end(), {"type", "name", "file"});
    for (std::size_t i = 0; i < value.keys.size(); ++i)
      if (std::find(known.begin(), known.end(), value.keys[i]) == known.end())
        diagnostics_.warning("'" + value.keys[i] + "' means nothing here; it is ignored",
                             file_.position(value.items[i]), didYouMean(value.keys[i], known));
  }

  Resource path(const JsonValue& value) {
    expectKeys(value, {"times", "milestones"});
    const std::string type = value.find("type") != nullptr ? value.find("type")->text : std::string();
    Trajectory path{file_.reals(file_.at(value, "times")), vectors(file_.at(value, "milestones"))};
    if (path.times.size() != path.configurations.size())
      file_.fail(std::to_string(path.times.size()) + " milestones, as many as times", file_.at(value, "milestones"));
    for (std::size_t i = 1; i < path.times.size(); ++i) {
      if (path.times[i] < path.times[i - 1])
        throw Error("this time lies before the one above", file_.position(file_.at(value, "times").items[i]));
      if (path.configurations[i].size() != path.configurations[0].size())
        file_.fail(std::to_string(path.configurations[0].size()) + " numbers, as in the first milestone",
                   file_.at(value, "milestones").items[i]);
    }
    if (type == "SO3Trajectory" || type == "SE3Trajectory")
      diagnostics_.warning("milestones of " + withArticle(type) + " are taken for plain numbers, linear in between",
                           file_.position(value));
    if (type != "HermiteTrajectory") return path;
    // Each milestone is a configuration and a velocity in a row.
    HermiteTrajectory hermite;
    hermite.times = std::move(path.times);
    for (std::size_t i = 0; i < path.configurations.size(); ++i) {
      const VectorXd& both = path.configurations[i];
      if (both.size() % 2 != 0)
        file_.fail("a configuration and a velocity in a row", file_.at(value, "milestones").items[i]);
      hermite.configurations.push_back(both.head(both.size() / 2));
      hermite.velocities.push_back(both.tail(both.size() / 2));
    }
    return hermite;
  }

  IKGoal goal(const JsonValue& value) {
    if (const JsonValue* data = value.find("data"); data != nullptr && data->isString())
      return std::get<IKGoal>(readEmbeddedText(FileContent::ikGoal, data->text, file_.position(*data), diagnostics_));
    expectKeys(value, {"link", "destLink", "posConstraint", "localPosition", "endPosition", "direction",
                       "rotConstraint", "localAxis", "endRotation"});
    IKGoal goal;
    goal.link = file_.integer(file_.at(value, "link"));
    if (const JsonValue* destination = value.find("destLink")) goal.destination = file_.integer(*destination);
    goal.position = choice(kPositionNames, value.find("posConstraint"));
    goal.rotation = choice(kRotationNames, value.find("rotConstraint"));
    if (goal.position != Position::free) {
      goal.p_LP = file_.vector3(file_.at(value, "localPosition"));
      goal.p_DP = file_.vector3(file_.at(value, "endPosition"));
    }
    if (goal.position == Position::plane || goal.position == Position::line)
      goal.direction_D = file_.vector3(file_.at(value, "direction"));
    if (goal.rotation == Rotation::axis || goal.rotation == Rotation::twoAxis)
      goal.axis_L = file_.vector3(file_.at(value, "localAxis"));
    if (goal.rotation != Rotation::free)
      (goal.rotation == Rotation::fixed ? goal.rotationVector_DL : goal.axis_D) =
          file_.vector3(file_.at(value, "endRotation"));
    return goal;
  }

  template <typename Choices>
  typename Choices::value_type::second_type choice(const Choices& choices, const JsonValue* value) const {
    if (value == nullptr || value->isNull()) return choices[0].second;
    std::vector<std::string> names;
    for (const auto& [name, meaning] : choices) {
      if (file_.string(*value) == name) return meaning;
      names.emplace_back(name);
    }
    throw Error("there is no constraint '" + value->text.substr(0, 40) + "'", file_.position(*value), listNames(names));
  }

  static std::string listNames(const std::vector<std::string>& names) {
    std::string text = "choose one of";
    for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? " " : ", ") + names[i];
    return text;
  }

  ContactPoint contact(const JsonValue& value) {
    expectKeys(value, {"x", "n", "kFriction"});
    return {file_.vector3(file_.at(value, "x")), file_.vector3(file_.at(value, "n")),
            file_.finite(file_.at(value, "kFriction"))};
  }

  Hold hold(const JsonValue& value) {
    if (const JsonValue* data = value.find("data"); data != nullptr && data->isString())
      return std::get<Hold>(readEmbeddedText(FileContent::hold, data->text, file_.position(*data), diagnostics_));
    expectKeys(value, {"link", "ik", "contacts"});
    Hold hold;
    hold.goal = goal(file_.at(value, "ik"));
    hold.link = value.find("link") != nullptr ? file_.integer(*value.find("link")) : hold.goal.link;
    if (const JsonValue* contacts = value.find("contacts"); contacts != nullptr && !contacts->isNull())
      for (const JsonValue& item : file_.list(*contacts)) hold.contacts.push_back(contact(item));
    return hold;
  }

  std::vector<Hold> holds(const JsonValue& value) {
    std::vector<Hold> all;
    for (const JsonValue& item : file_.list(value)) all.push_back(hold(item));
    return all;
  }

  Stance stance(const JsonValue& value) {
    expectKeys(value, {"holds"});
    Stance stance{holds(file_.at(value, "holds"))};
    for (std::size_t i = 0; i < stance.holds.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (stance.holds[k].link == stance.holds[i].link)
          throw Error("link " + std::to_string(stance.holds[i].link) + " has two holds",
                      file_.position(file_.at(value, "holds").items[i]));
    return stance;
  }

  Grasp grasp(const JsonValue& value) {
    expectKeys(value, {"objectIndex", "robotIndex", "constraints", "fixedValues", "fixedDofs", "contacts",
                       "contactLinks", "forces"});
    Grasp grasp;
    if (const JsonValue* object = value.find("objectIndex")) grasp.object = file_.integer(*object);
    if (const JsonValue* robot = value.find("robotIndex")) grasp.robot = file_.integer(*robot);
    for (const JsonValue& item : optionalList(value, "constraints")) grasp.goals.push_back(goal(item));
    const auto &dofs = optionalList(value, "fixedDofs"), &values = optionalList(value, "fixedValues");
    if (dofs.size() != values.size())
      throw Error("there are " + std::to_string(dofs.size()) + " fixedDofs and " + std::to_string(values.size()) +
                      " fixedValues",
                  file_.position(value));
    for (std::size_t i = 0; i < dofs.size(); ++i)
      grasp.fixed.emplace_back(file_.integer(dofs[i]), file_.finite(values[i]));
    const auto &contacts = optionalList(value, "contacts"), &links = optionalList(value, "contactLinks"),
               &forces = optionalList(value, "forces");
    if (contacts.size() != links.size() || (!forces.empty() && forces.size() != contacts.size()))
      throw Error("there are " + std::to_string(contacts.size()) + " contacts, " + std::to_string(links.size()) +
                      " contactLinks and " + std::to_string(forces.size()) + " forces",
                  file_.position(value));
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      Grasp::Contact entry{file_.integer(links[i]), contact(contacts[i]), std::nullopt};
      if (!forces.empty() && !forces[i].isNull()) entry.force_W = file_.vector3(forces[i]);
      grasp.contacts.push_back(entry);
    }
    return grasp;
  }

  const std::vector<JsonValue>& optionalList(const JsonValue& value, std::string_view key) const {
    static const std::vector<JsonValue> kNone;
    const JsonValue* found = value.find(key);
    return found == nullptr || found->isNull() ? kNone : file_.list(*found);
  }

  MultiPath::Settings settings(const JsonValue& value) const {
    MultiPath::Settings all;
    const JsonValue* map = value.find("settings");
    if (map == nullptr || map->isNull()) return all;
    if (!map->isMap()) file_.fail("an object", *map);
    for (std::size_t i = 0; i < map->keys.size(); ++i) all.emplace_back(map->keys[i], file_.string(map->items[i]));
    return all;
  }

  MultiPath multiPath(const JsonValue& value) {
    expectKeys(value, {"settings", "sections", "holds"});
    MultiPath path;
    path.settings = settings(value);
    for (const JsonValue& item : file_.list(file_.at(value, "sections"))) {
      expectKeys(item,
                 {"settings", "milestones", "times", "velocities", "ikgoals", "holds", "holdIndices", "holdNames"});
      MultiPath::Section section;
      section.settings = settings(item);
      section.milestones = vectors(file_.at(item, "milestones"));
      for (const JsonValue& time : optionalList(item, "times")) section.times.push_back(file_.finite(time));
      for (const JsonValue& v : optionalList(item, "velocities")) section.velocities.push_back(file_.vector(v));
      for (const JsonValue& entry : optionalList(item, "ikgoals")) section.goals.push_back(goal(entry));
      for (const JsonValue& entry : optionalList(item, "holds")) section.holds.push_back(hold(entry));
      for (const JsonValue& index : optionalList(item, "holdIndices"))
        section.holdIndices.push_back(file_.integer(index));
      for (const JsonValue& name : optionalList(item, "holdNames")) section.holdNames.push_back(file_.string(name));
      path.sections.push_back(std::move(section));
    }
    for (const JsonValue& item : optionalList(value, "holds")) {
      MultiPath::NamedHold named;
      if (const JsonValue* name = item.find("name")) named.name = file_.string(*name);
      named.hold = hold(item);
      path.holds.push_back(std::move(named));
    }
    if (const std::string problem = path.problem(); !problem.empty()) throw Error(problem, file_.position(value));
    return path;
  }

  const JsonFile& file_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string_view klamptType(FileContent kind) {
  for (const TypeName& name : kResourceTypes)
    if (name.kind == kind) return name.type;
  return {};
}

std::optional<FileContent> kindOfKlamptType(std::string_view type) {
  for (const TypeName& name : kResourceTypes)
    if (name.type == type) return name.kind;
  return std::nullopt;
}

std::optional<FileContent> jsonKind(const JsonValue& value) {
  if (value.isList()) {
    const auto& items = value.items;
    if (!items.empty() && items[0].isMap())
      return items[0].find("type") != nullptr ? std::optional(FileContent::library) : std::nullopt;
    if (value.isListOfNumbers()) return FileContent::configuration;
    if (items.size() == 2 && items[0].isList() && items[1].isList() && items[0].items.size() == 9 &&
        items[1].items.size() == 3)
      return FileContent::transform;
    return std::all_of(items.begin(), items.end(), [](const JsonValue& item) { return item.isList(); })
               ? std::optional(FileContent::configurations)
               : std::nullopt;
  }
  if (!value.isMap()) return std::nullopt;
  if (const JsonValue* type = value.find("type")) return type->isString() ? kindOfKlamptType(type->text) : std::nullopt;
  if (value.find("times") != nullptr && value.find("milestones") != nullptr) return FileContent::trajectory;
  if (value.find("x") != nullptr && value.find("n") != nullptr) return FileContent::contactPoint;
  return std::nullopt;
}

Resource readJsonResource(const JsonFile& file, const JsonValue& value, Diagnostics& diagnostics) {
  return ResourceReader(file, diagnostics).read(value);
}

}  // namespace mortise::io
