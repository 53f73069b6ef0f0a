#include "mortise/planning/problem_sets/srdf.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "mortise/base/suggest.h"
#include "mortise/base/value.h"
#include "mortise/planning/problem_sets/xml_reader.h"

namespace mortise {

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

class Parser {
 public:
  explicit Parser(Diagnostics& diagnostics) : out_(diagnostics) {}

  Srdf parse(const XmlNode& root) {
    if (root.name != "robot") {
      out_.error("expected <robot>, found <" + root.name + ">", root.position,
                 "is this an SRDF file? Macros (xacro) must be expanded first");
      return {};
    }
    if (const XmlAttribute* name = root.find("name")) srdf_.robot = name->value;
    for (const XmlNode& node : root.children) element(node);
    checkTwice();
    return std::move(srdf_);
  }

 private:
  void element(const XmlNode& node) {
    if (node.name == "group") {
      group(node);
    } else if (node.name == "group_state") {
      state(node);
    } else if (node.name == "end_effector") {
      srdf_.endEffectors.push_back({need(node, "name"), need(node, "group"), need(node, "parent_link"),
                                    optional(node, "parent_group"), node.position});
    } else if (node.name == "virtual_joint") {
      virtualJoint(node);
    } else if (node.name == "passive_joint") {
      srdf_.passiveJoints.push_back(named(node));
    } else if (node.name == "disable_collisions") {
      srdf_.disabled.push_back({need(node, "link1"), need(node, "link2"), node.position});
    } else if (node.name == "enable_collisions") {
      srdf_.enabled.push_back({need(node, "link1"), need(node, "link2"), node.position});
    } else if (node.name == "disable_default_collisions") {
      srdf_.disabledByDefault.push_back({need(node, "link"), node.position});
    } else if (std::find(kElements.begin(), kElements.end(), node.name) == kElements.end()) {
      unknown(node, kElements);
    }
  }

  /// One warning a kind of element.
  void unknown(const XmlNode& node, const std::vector<std::string>& known) {
    if (!unknown_.insert(node.name).second) return;
    const bool macro = node.name.starts_with("xacro:");
    out_.warning("<" + node.name + "> means nothing in an SRDF file; it is ignored", node.position,
                 macro ? "macros must be expanded first: xacro FILE > OUT" : didYouMean(node.name, known));
  }

  std::string optional(const XmlNode& node, std::string_view attribute) const {
    const XmlAttribute* found = node.find(attribute);
    return found == nullptr ? std::string() : found->value;
  }
  std::string need(const XmlNode& node, const std::string& attribute) {
    std::string text = optional(node, attribute);
    if (text.empty())
      out_.error("<" + node.name + "> needs the attribute '" + attribute + "'", node.position,
                 "write <" + node.name + " " + attribute + "=\"...\">");
    return text;
  }
  SrdfName named(const XmlNode& node) { return {need(node, "name"), node.position}; }

  void group(const XmlNode& node) {
    SrdfGroup group;
    group.position = node.position;
    group.name = need(node, "name");
    for (const XmlNode& child : node.children) {
      if (child.name == "joint") {
        group.joints.push_back(named(child));
      } else if (child.name == "passive_joint") {
        srdf_.passiveJoints.push_back(named(child));
      } else if (child.name == "link") {
        group.links.push_back(named(child));
      } else if (child.name == "group") {
        group.groups.push_back(named(child));
      } else if (child.name == "chain") {
        group.chains.push_back({need(child, "base_link"), need(child, "tip_link"), child.position});
      } else {
        unknown(child, {"joint", "link", "chain", "group", "passive_joint"});
      }
    }
    srdf_.groups.push_back(std::move(group));
  }

  void state(const XmlNode& node) {
    SrdfState state;
    state.position = node.position;
    state.name = need(node, "name");
    state.group = optional(node, "group");
    if (state.group.empty()) {  // MoveIt passes over it as well.
      out_.warning("<group_state> '" + state.name + "' names no group; it is ignored", node.position,
                   "write <group_state name=\"...\" group=\"...\">");
      return;
    }
    for (const XmlNode& child : node.children) {
      if (child.name != "joint") {
        unknown(child, {"joint"});
        continue;
      }
      SrdfState::Joint joint;
      joint.position = child.position;
      joint.name = need(child, "name");
      std::string text = need(child, "value");
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = text.find_first_not_of(' ', at);
        if (from == std::string::npos) break;
        const std::size_t to = std::min(text.find(' ', from), text.size());
        const Value value = Value::fromText(text.substr(from, to - from));
        if (value.isNumber() && std::isfinite(value.asReal())) {
          joint.values.push_back(value.asReal());
        } else {
          out_.error("'" + text + "' is no number", child.find("value")->position,
                     "a value is a finite number, in rad or metres");
          break;
        }
        at = to;
      }
      state.joints.push_back(std::move(joint));
    }
    srdf_.states.push_back(std::move(state));
  }

  void virtualJoint(const XmlNode& node) {
    SrdfVirtualJoint joint{need(node, "name"), need(node, "type"), need(node, "parent_frame"), need(node, "child_link"),
                           node.position};
    const std::vector<std::string> types = {"fixed", "planar", "floating"};
    if (!joint.type.empty() && std::find(types.begin(), types.end(), joint.type) == types.end()) {
      out_.error("'" + joint.type + "' is no type of a virtual joint", node.find("type")->position,
                 suggestFrom(joint.type, types));
    }
    srdf_.virtualJoints.push_back(std::move(joint));
  }

  void checkTwice() {
    std::set<std::string> names;
    for (const SrdfGroup& group : srdf_.groups)
      if (!group.name.empty() && !names.insert(group.name).second)
        out_.error("there are two groups '" + group.name + "'", group.position, "give each group a name of its own");
  }

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

  /// Joints from a link to the root, and whether `end` was met on the way.
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
  return Parser(diagnostics).parse(parseXml(text, file));
}

std::vector<int> jointsOfGroup(const Srdf& srdf, const std::string& group, const NamedJoints& joints,
                               Diagnostics& diagnostics, bool* withVirtual) {
  GroupJoints collected(srdf, joints, diagnostics);
  if (const SrdfGroup* found = srdf.group(group)) collected.add(*found);
  if (withVirtual != nullptr) *withVirtual = collected.virtualJoint();
  return collected.take();
}

}  // namespace mortise
