#include "mortise/mechanics/contact_file.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/ik/equations/term_text.h"
#include "mortise/mechanics/contact_formation.h"
#include "mortise/mechanics/forces/friction_cone.h"
#include "mortise/text/article.h"

namespace mortise {

namespace {

Vector3d vectorIn(const Value& value) {
  const std::vector<double> v = value.asReals();
  if (v.size() != 3)
    throw Error("expected three numbers, found " + std::to_string(v.size()), value.position(), "write [x, y, z]");
  return {v[0], v[1], v[2]};
}

/// The point with a normal of length 1.
ContactPoint checkedContact(ContactPoint point, const SourcePosition& where) {
  if (!point.p_WC.allFinite()) throw Error("a contact is at no finite point", where);
  const double length = point.n_W.norm();
  if (!(length > 0) || !std::isfinite(length))
    throw Error("the normal of a contact has no direction", where,
                "it points out of what is touched, such as [0, 0, 1] on a floor");
  if (!(point.friction >= 0))
    throw Error("a contact has friction " + formatReal(point.friction), where, "friction is at least 0");
  point.n_W = unitNormal(point.n_W);
  return point;
}

class ContactReader {
 public:
  ContactReader(ResourceLoader& loader, const RobotDynamics& dynamics, std::optional<double> friction,
                Diagnostics& diagnostics)
      : loader_(loader),
        dynamics_(dynamics),
        robot_(dynamics.robot()),
        friction_(friction),
        diagnostics_(diagnostics) {}

  ContactFile read(const std::string& name, const std::string& referringFile) {
    path_ = loader_.find(name, referringFile);
    where_ = inFile(path_);
    const auto content = loader_.contentOf(path_);
    if (content == FileContent::stance)
      add(loader_.load<Stance>(name, referringFile, diagnostics_));
    else if (content == FileContent::hold)
      add(loader_.load<Hold>(name, referringFile, diagnostics_));
    else if (content == FileContent::grasp)
      add(loader_.load<Grasp>(name, referringFile, diagnostics_));
    else if (content == FileContent::contactPoint)
      add(-1, loader_.load<ContactPoint>(name, referringFile, diagnostics_));
    else if (content == FileContent::library)
      add(loader_.load<ResourceLibrary>(name, referringFile, diagnostics_));
    else
      addText(content);
    diagnostics_.throwIfErrors("'" + name + "' cannot be used");
    if (friction_)
      for (LinkContact& contact : file_.contacts) contact.point.friction = *friction_;
    return std::move(file_);
  }

 private:
  void requireLink(int link, const SourcePosition& where) const {
    if (link < 0 || link >= robot_.numLinks())
      throw Error(
          "a contact is of link " + std::to_string(link) + ", which robot '" + robot_.name() + "' does not have", where,
          "links run from 0 to " + std::to_string(robot_.numLinks() - 1));
  }

  void add(int link, const ContactPoint& point) {
    if (link != -1) requireLink(link, where_);
    file_.contacts.push_back({link, checkedContact(point, where_)});
  }

  void add(const Hold& hold) {
    requireLink(hold.link, where_);
    for (const ContactPoint& point : hold.contacts) add(hold.link, point);
    file_.goals.push_back(hold.goal);
  }

  void add(const Stance& stance) {
    for (const Hold& hold : stance.holds) add(hold);
  }

  void add(const Grasp& grasp) {
    for (const Grasp::Contact& contact : grasp.contacts) add(contact.link, contact.point);
    file_.grasp = grasp;
  }

  void add(const ResourceLibrary& library) {
    for (const ResourceItem& item : library.items) {
      if (const auto* stance = std::get_if<Stance>(&item.value)) add(*stance);
      if (const auto* hold = std::get_if<Hold>(&item.value)) add(*hold);
      if (const auto* grasp = std::get_if<Grasp>(&item.value)) add(*grasp);
      if (const auto* point = std::get_if<ContactPoint>(&item.value)) add(-1, *point);
    }
    if (file_.contacts.empty()) throw Error("the library has no contacts", where_);
  }

  void addText(const std::optional<FileContent>& content) {
    const auto otherContent = [&] {
      return Error("the file holds " + withArticle(contentName(*content)) + ", not contacts", where_,
                   "give a .stance, .hold or .grasp file, or YAML with [{point, normal, friction}]");
    };
    Value value;
    try {
      value = loadYaml(path_);
    } catch (const Error& error) {
      if (!content) throw;
      throw otherContent();
    }
    const Value* list = &value;
    if (value.isMap() && value.contains("contacts")) {
      if (value.size() > 1)
        diagnostics_.warning("only 'contacts' of this map is read", value.entries().front().keyPosition);
      list = &value.at("contacts");
    }
    if (!list->isList() && content) throw otherContent();
    if (!list->isList())
      throw Error("expected a list of contacts, found " + std::string(Value::typeName(list->type())),
                  list->position().file.empty() ? where_ : list->position(),
                  "write a list of {point: [x, y, z], normal: [x, y, z], friction: 0.5}");
    for (const Value& item : list->items()) {
      if (item.isList())
        addNumbers(item);
      else
        addMap(item);
    }
  }

  void addNumbers(const Value& item) {
    const std::vector<double> v = item.asReals();
    if (v.size() != 7)
      throw Error("a contact as a list has 7 numbers, x y z nx ny nz friction, not " + std::to_string(v.size()),
                  item.position());
    file_.contacts.push_back(
        {-1, checkedContact({Vector3d(v[0], v[1], v[2]), Vector3d(v[3], v[4], v[5]), v[6]}, item.position())});
  }

  void addMap(const Value& item) {
    Value given = item;
    given.erase("type");  // Klamp't's JSON says that it is a ContactPoint.
    const std::size_t before = static_cast<std::size_t>(diagnostics_.errorCount());
    const Value complete = contactSchema().complete(given, "contact", diagnostics_);
    if (static_cast<std::size_t>(diagnostics_.errorCount()) > before) return;
    LinkContact contact;
    if (!complete.at("link").isNull()) contact.link = linkFromSetting(robot_, complete.at("link"));
    if (!complete.at("target").isNull()) contact.target = linkFromSetting(robot_, complete.at("target"), true);
    if (contact.target >= 0 && contact.link < 0)
      throw Error("a contact with link '" + complete.at("target").text() + "' is of no link", item.position(),
                  "add 'link'");
    if (complete.at("friction").isNull() && !friction_)
      throw Error("missing 'friction' of a contact", item.position(), "add 'friction: 0.5', or give one for all");
    const double friction = friction_ ? *friction_ : complete.at("friction").asReal();
    contact.point =
        checkedContact({vectorIn(complete.at("point")), vectorIn(complete.at("normal")), friction}, item.position());
    if (complete.at("frame").asString() == "link") {
      if (contact.link < 0)
        throw Error("a contact in the frame of a link is of no link", item.position(), "add 'link'");
      const RigidTransform X_WL = dynamics_.X_WL(contact.link);
      contact.point.p_WC = X_WL * contact.point.p_WC;
      contact.point.n_W = unitNormal(X_WL.R * contact.point.n_W);
    }
    file_.contacts.push_back(contact);
  }

  ResourceLoader& loader_;
  const RobotDynamics& dynamics_;
  const Robot& robot_;
  std::optional<double> friction_;
  Diagnostics& diagnostics_;
  std::string path_;
  SourcePosition where_;
  ContactFile file_;
};

}  // namespace

std::vector<ContactPoint> ContactFile::points() const {
  std::vector<ContactPoint> points;
  for (const LinkContact& contact : contacts) points.push_back(contact.point);
  return points;
}

const Schema& contactSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter("point", ParameterType::realList, "Where the link is touched.",
                {.unit = "m", .required = true, .size = 3, .aliases = {"x", "position"}})
        .parameter("normal", ParameterType::realList, "Out of what is touched, into the link; of any length above 0.",
                   {.required = true, .size = 3, .aliases = {"n"}})
        .parameter("friction", ParameterType::real, "Coulomb's coefficient; needed unless one is given for all.",
                   {.min = 0, .aliases = {"kFriction", "k_friction", "mu"}, .infinite = true})
        .parameter("link", ParameterType::any, "Name or index of the robot's link that touches.")
        .parameter("target", ParameterType::any,
                   "Name or index of the link of the same robot that is touched; by default the world.")
        .parameter("frame", "world", "What point and normal are in: the world, or the link.",
                   {.choices = {"world", "link"}});
    return s;
  }();
  return schema;
}

ContactFile readContactFile(ResourceLoader& loader, const std::string& name, const RobotDynamics& dynamics,
                            std::optional<double> friction, Diagnostics& diagnostics,
                            const std::string& referringFile) {
  if (friction && !(*friction >= 0)) throw Error("friction is " + formatReal(*friction), {}, "it is at least 0");
  return ContactReader(loader, dynamics, friction, diagnostics).read(name, referringFile);
}

Value contactsValue(const Robot& robot, const std::vector<LinkContact>& contacts) {
  const auto list = [](const Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; };
  Value all = Value::list();
  for (const LinkContact& contact : contacts) {
    Value entry = Value::map();
    entry.set("point", list(contact.point.p_WC));
    entry.set("normal", list(contact.point.n_W));
    entry.set("friction", contact.point.friction);
    if (contact.link >= 0) entry.set("link", robot.link(contact.link).name);
    if (contact.target >= 0) entry.set("target", robot.link(contact.target).name);
    all.push_back(std::move(entry));
  }
  Value result = Value::map();
  result.set("contacts", std::move(all));
  return result;
}

std::string contactsText(const Robot& robot, const std::vector<LinkContact>& contacts) {
  const auto name = [&](int link) { return "'" + robot.link(link).name + "'"; };
  std::string text;
  for (const ContactPatch& patch : contactFormation(contacts)) {
    Vector3d middle = Vector3d::Zero(), normal = Vector3d::Zero();
    for (const ContactPoint& point : patch.contacts) {
      middle += point.p_WC / static_cast<double>(patch.contacts.size());
      normal += point.n_W / static_cast<double>(patch.contacts.size());
    }
    text += (patch.link >= 0 ? name(patch.link) : "a link") + " on " +
            (patch.target >= 0 ? name(patch.target) : "the world") + ": " + std::to_string(patch.contacts.size()) +
            (patch.contacts.size() == 1 ? " contact" : " contacts") + ", about";
    for (const double x : middle) text += " " + formatReal(std::round(1e5 * x) / 1e5, 5);
    text += " m, normal";
    for (const double x : normal) text += " " + formatReal(std::round(1e3 * x) / 1e3, 3);
    text += "\n";
  }
  return text.empty() ? "nothing touches\n" : text;
}

void checkGoals(const RobotPtr& robot, const std::vector<IKGoal>& goals, const VectorXd& q, double tolerance,
                Diagnostics& diagnostics) {
  for (const IKGoal& goal : goals) {
    if (goal.rotation == IKGoal::Rotation::twoAxis) continue;
    const double off = termResidual(robot, {goal}, q);
    if (off > tolerance)
      diagnostics.warning("link '" + robot->link(goal.link).name + "' is " + formatReal(off, 3) +
                              " (m or rad) away from where its hold wants it",
                          {}, "the contacts are taken where the file has them");
  }
}

}  // namespace mortise
