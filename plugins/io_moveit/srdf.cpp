#include "srdf.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "mortise/base/value.h"
#include "mortise/text/suggest.h"
#include "text/xml_file.h"

namespace mortise::io_moveit {

namespace {

const std::vector<std::string> kElements = {"group",
                                            "group_state",
                                            "end_effector",
                                            "virtual_joint",
                                            "passive_joint",
                                            "joint_property",
                                            "disable_collisions",
                                            "enable_collisions",
                                            "disable_default_collisions",
                                            "link_sphere_approximation"};

using Element = tinyxml2::XMLElement;

/// Calls `action` with every child element.
template <typename Action>
void forEachChild(const Element& element, Action action) {
  for (const Element* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
    action(*child);
}

class Parser {
 public:
  Parser(const io::XmlFile& file, Diagnostics& diagnostics) : file_(file), out_(diagnostics) {}

  Srdf parse() {
    const Element& root = file_.root();
    if (nameOf(root) != "robot") {
      out_.error("expected <robot>, found <" + nameOf(root) + ">", file_.position(root),
                 "is this an SRDF file? Macros (xacro) must be expanded first");
      return {};
    }
    srdf_.robot = optional(root, "name");
    forEachChild(root, [&](const Element& child) { element(child); });
    checkTwice();
    return std::move(srdf_);
  }

 private:
  static std::string nameOf(const Element& element) { return element.Name(); }

  void element(const Element& node) {
    const std::string name = nameOf(node);
    if (name == "group") {
      group(node);
    } else if (name == "group_state") {
      state(node);
    } else if (name == "end_effector") {
      srdf_.endEffectors.push_back({need(node, "name"), need(node, "group"), need(node, "parent_link"),
                                    optional(node, "parent_group"), file_.position(node)});
    } else if (name == "virtual_joint") {
      virtualJoint(node);
    } else if (name == "passive_joint") {
      srdf_.passiveJoints.push_back(named(node));
    } else if (name == "disable_collisions") {
      srdf_.disabled.push_back({need(node, "link1"), need(node, "link2"), file_.position(node)});
    } else if (name == "enable_collisions") {
      srdf_.enabled.push_back({need(node, "link1"), need(node, "link2"), file_.position(node)});
    } else if (name == "disable_default_collisions") {
      srdf_.disabledByDefault.push_back({need(node, "link"), file_.position(node)});
    } else if (std::find(kElements.begin(), kElements.end(), name) == kElements.end()) {
      unknown(node, kElements);
    }
  }

  /// One warning for each kind of element.
  void unknown(const Element& node, const std::vector<std::string>& known) {
    const std::string name = nameOf(node);
    if (!unknown_.insert(name).second) return;
    const bool macro = name.starts_with("xacro:");
    out_.warning("<" + name + "> means nothing in an SRDF file; it is ignored", file_.position(node),
                 macro ? "macros must be expanded first: xacro FILE > OUT" : didYouMean(name, known));
  }

  static std::string optional(const Element& node, const char* attribute) {
    const char* found = node.Attribute(attribute);
    return found == nullptr ? std::string() : std::string(found);
  }
  std::string need(const Element& node, const char* attribute) {
    std::string text = optional(node, attribute);
    if (text.empty())
      out_.error("<" + nameOf(node) + "> needs the attribute '" + attribute + "'", file_.position(node),
                 "write <" + nameOf(node) + " " + attribute + "=\"...\">");
    return text;
  }
  SrdfName named(const Element& node) { return {need(node, "name"), file_.position(node)}; }

  void group(const Element& node) {
    SrdfGroup group;
    group.position = file_.position(node);
    group.name = need(node, "name");
    forEachChild(node, [&](const Element& child) {
      const std::string name = nameOf(child);
      if (name == "joint") {
        group.joints.push_back(named(child));
      } else if (name == "passive_joint") {
        srdf_.passiveJoints.push_back(named(child));
      } else if (name == "link") {
        group.links.push_back(named(child));
      } else if (name == "group") {
        group.groups.push_back(named(child));
      } else if (name == "chain") {
        group.chains.push_back({need(child, "base_link"), need(child, "tip_link"), file_.position(child)});
      } else {
        unknown(child, {"joint", "link", "chain", "group", "passive_joint"});
      }
    });
    srdf_.groups.push_back(std::move(group));
  }

  void state(const Element& node) {
    SrdfState state;
    state.position = file_.position(node);
    state.name = need(node, "name");
    state.group = optional(node, "group");
    if (state.group.empty()) {  // MoveIt ignores it as well.
      out_.warning("<group_state> '" + state.name + "' names no group; it is ignored", file_.position(node),
                   "write <group_state name=\"...\" group=\"...\">");
      return;
    }
    forEachChild(node, [&](const Element& child) {
      if (nameOf(child) == "joint")
        state.joints.push_back(stateOfJoint(child));
      else
        unknown(child, {"joint"});
    });
    srdf_.states.push_back(std::move(state));
  }

  SrdfState::Joint stateOfJoint(const Element& node) {
    SrdfState::Joint joint;
    joint.position = file_.position(node);
    joint.name = need(node, "name");
    const std::string text = need(node, "value");
    constexpr const char* kBlanks = " \t\r\n";
    for (std::size_t from = text.find_first_not_of(kBlanks); from != std::string::npos;) {
      const std::size_t to = std::min(text.find_first_of(kBlanks, from), text.size());
      const Value value = Value::fromText(text.substr(from, to - from));
      if (!value.isNumber() || !std::isfinite(value.asReal())) {
        out_.error("'" + text + "' is not a number", file_.position(node, "value"),
                   "a value is a finite number, in rad or meters");
        break;
      }
      joint.values.push_back(value.asReal());
      from = text.find_first_not_of(kBlanks, to);
    }
    return joint;
  }

  void virtualJoint(const Element& node) {
    SrdfVirtualJoint joint{need(node, "name"), need(node, "type"), need(node, "parent_frame"), need(node, "child_link"),
                           file_.position(node)};
    const std::vector<std::string> types = {"fixed", "planar", "floating"};
    if (!joint.type.empty() && std::find(types.begin(), types.end(), joint.type) == types.end())
      out_.error("'" + joint.type + "' is not a type of a virtual joint", file_.position(node, "type"),
                 suggestFrom(joint.type, types));
    srdf_.virtualJoints.push_back(std::move(joint));
  }

  void checkTwice() {
    std::set<std::string> names;
    for (const SrdfGroup& group : srdf_.groups)
      if (!group.name.empty() && !names.insert(group.name).second)
        out_.error("there are two groups '" + group.name + "'", group.position, "give each group a name of its own");
  }

  const io::XmlFile& file_;
  Diagnostics& out_;
  Srdf srdf_;
  std::set<std::string> unknown_;
};

class GroupJoints {
 public:
  GroupJoints(const Srdf& srdf, const NamedJoints& joints, Diagnostics& diagnostics)
      : srdf_(srdf), joints_(joints), out_(diagnostics), in_(joints.joints.size(), false) {}

  void add(const SrdfGroup& group) {
    if (std::find(open_.begin(), open_.end(), group.name) != open_.end()) {
      out_.error("group '" + group.name + "' is within itself", group.position);
      return;
    }
    open_.push_back(group.name);
    for (const SrdfName& joint : group.joints) addJoint(joint);
    for (const SrdfName& link : group.links) addLink(link);
    for (const SrdfChain& chain : group.chains) addChain(chain);
    for (const SrdfName& name : group.groups) {
      if (const SrdfGroup* inner = srdf_.group(name.name)) {
        add(*inner);
      } else {
        std::vector<std::string> names;
        for (const SrdfGroup& each : srdf_.groups) names.push_back(each.name);
        missing("group", name.name, names, name.position);
      }
    }
    open_.pop_back();
  }

  bool virtualJoint() const { return virtual_; }
  std::vector<int> take() const {
    std::vector<int> out;
    for (std::size_t i = 0; i < in_.size(); ++i)
      if (in_[i]) out.push_back(static_cast<int>(i));
    return out;
  }

 private:
  void missing(const std::string& what, const std::string& name, const std::vector<std::string>& names,
               const SourcePosition& where) {
    out_.error("the robot has no " + what + " '" + name + "'", where, suggestFrom(name, names));
  }
  void insert(int joint) {
    if (joint >= 0) in_[static_cast<std::size_t>(joint)] = true;
  }

  void addJoint(const SrdfName& name) {
    const int joint = joints_.find(name.name);
    if (joint >= 0) return insert(joint);
    for (const SrdfVirtualJoint& each : srdf_.virtualJoints) {
      if (each.name != name.name) continue;
      virtual_ = true;
      return;
    }
    missing("joint", name.name, joints_.names(), name.position);
  }
  void addLink(const SrdfName& name) {
    if (!joints_.hasLink(name.name)) return missing("link", name.name, joints_.links, name.position);
    insert(joints_.above(name.name));
  }

  /// Joints from a link to the root, and whether `end` is among their links.
  std::vector<int> up(const std::string& link, const std::string& end, bool& met) const {
    std::vector<int> path;
    std::string at = link;
    met = at == end;
    while (!met && path.size() <= joints_.joints.size()) {
      const int joint = joints_.above(at);
      if (joint < 0) break;
      path.push_back(joint);
      at = joints_.joints[static_cast<std::size_t>(joint)].parent;
      met = at == end;
    }
    return path;
  }
  void addChain(const SrdfChain& chain) {
    for (const std::string& link : {chain.base, chain.tip})
      if (!joints_.hasLink(link)) return missing("link", link, joints_.links, chain.position);
    bool met = false;
    std::vector<int> path = up(chain.tip, chain.base, met);
    if (!met) {
      // The base is no ancestor: up from both to where they meet.
      const std::vector<int> other = up(chain.base, chain.tip, met);
      std::vector<int> both;
      for (const int joint : path)
        if (std::find(other.begin(), other.end(), joint) == other.end()) both.push_back(joint);
      for (const int joint : other)
        if (std::find(path.begin(), path.end(), joint) == path.end()) both.push_back(joint);
      path = both;
    }
    for (const int joint : path) insert(joint);
  }

  const Srdf& srdf_;
  const NamedJoints& joints_;
  Diagnostics& out_;
  std::vector<bool> in_;
  std::vector<std::string> open_;
  bool virtual_ = false;
};

}  // namespace

const SrdfGroup* Srdf::group(std::string_view name) const {
  for (const SrdfGroup& each : groups)
    if (each.name == name) return &each;
  return nullptr;
}

bool Srdf::passive(std::string_view joint) const {
  for (const SrdfName& each : passiveJoints)
    if (each.name == joint) return true;
  return false;
}

bool Srdf::disables(std::string_view a, std::string_view b) const {
  const auto names = [&](const SrdfPair& pair) {
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  };
  if (std::any_of(disabled.begin(), disabled.end(), names)) return true;
  if (std::any_of(enabled.begin(), enabled.end(), names)) return false;
  for (const SrdfName& each : disabledByDefault)
    if (each.name == a || each.name == b) return true;
  return false;
}

Srdf readSrdf(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  const io::XmlFile xml(io::TextFile(file, text));
  return Parser(xml, diagnostics).parse();
}

std::vector<int> jointsOfGroup(const Srdf& srdf, const std::string& group, const NamedJoints& joints,
                               Diagnostics& diagnostics, bool* withVirtual) {
  GroupJoints collected(srdf, joints, diagnostics);
  if (const SrdfGroup* found = srdf.group(group)) collected.add(*found);
  if (withVirtual != nullptr) *withVirtual = collected.virtualJoint();
  return collected.take();
}

}  // namespace mortise::io_moveit
