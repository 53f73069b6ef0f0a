#include "urdf/urdf_tree.h"

#include <algorithm>
#include <map>

#include "mortise/base/position.h"
#include "mortise/text/suggest.h"
#include "text/text_file.h"

namespace mortise::io {

namespace {

class Tree {
 public:
  Tree(const UrdfFile& urdf, const std::string& path, Diagnostics& diagnostics)
      : urdf_(urdf), path_(path), out_(diagnostics), errorsBefore_(diagnostics.errorCount()) {}

  std::vector<UrdfNode> order() {
    if (urdf_.links.empty()) {
      out_.error("the robot has no <link>", inFile(path_));
      return {};
    }
    nameLinks();
    connect();
    const int root = findRoot();
    if (failed()) return {};
    std::vector<UrdfNode> nodes = walk(root);
    if (nodes.size() < urdf_.links.size()) reportLoop(nodes);
    return failed() ? std::vector<UrdfNode>() : nodes;
  }

 private:
  bool failed() const { return out_.errorCount() > errorsBefore_; }

  void nameLinks() {
    for (std::size_t i = 0; i < urdf_.links.size(); ++i) {
      const UrdfLink& link = urdf_.links[i];
      if (link.name.empty()) continue;
      if (!index_.emplace(link.name, static_cast<int>(i)).second)
        out_.error("there are two links '" + link.name + "'", link.position, "give each link a name of its own");
      names_.push_back(link.name);
    }
  }

  int find(const std::string& name, const SourcePosition& position) {
    if (name.empty()) return -1;
    const auto at = index_.find(name);
    if (at != index_.end()) return at->second;
    out_.error("there is no link '" + name + "'", position, suggestFrom(name, names_));
    return -1;
  }

  void connect() {
    jointAbove_.assign(urdf_.links.size(), -1);
    jointsBelow_.resize(urdf_.links.size());
    std::map<std::string, int> byName;
    for (std::size_t j = 0; j < urdf_.joints.size(); ++j) {
      const UrdfJoint& joint = urdf_.joints[j];
      if (joint.name.empty()) continue;
      if (!byName.emplace(joint.name, static_cast<int>(j)).second)
        out_.error("there are two joints '" + joint.name + "'", joint.position, "give each joint a name of its own");
    }
    for (const auto& [name, j] : byName) {
      const UrdfJoint& joint = urdf_.joints[static_cast<std::size_t>(j)];
      const int parent = find(joint.parent, joint.parentPosition), child = find(joint.child, joint.childPosition);
      if (parent < 0 || child < 0) continue;
      int& above = jointAbove_[static_cast<std::size_t>(child)];
      if (above >= 0)
        out_.error("link '" + joint.child + "' is the child of two joints, '" +
                       urdf_.joints[static_cast<std::size_t>(above)].name + "' and '" + name + "'",
                   joint.childPosition, "a URDF robot is a tree; closed chains cannot be written in it");
      above = j;
      jointsBelow_[static_cast<std::size_t>(parent)].push_back({j, child});
    }
  }

  int findRoot() {
    std::vector<std::string> roots;
    int root = -1;
    for (std::size_t i = 0; i < urdf_.links.size(); ++i)
      if (jointAbove_[i] < 0) {
        roots.push_back(urdf_.links[i].name);
        if (root < 0) root = static_cast<int>(i);
      }
    if (failed()) return root;
    if (roots.empty())
      out_.error("every link is the child of a joint, so there is no root", inFile(path_), "remove one joint");
    if (roots.size() > 1)
      out_.error("there are several links without a joint above them: '" + roots[0] + "', '" + roots[1] + "'" +
                     (roots.size() > 2 ? " and " + std::to_string(roots.size() - 2) + " more" : ""),
                 urdf_.links[static_cast<std::size_t>(index_.at(roots[1]))].position,
                 "connect them with joints; one root may remain");
    return root;
  }

  std::vector<UrdfNode> walk(int root) const {
    std::vector<UrdfNode> nodes;
    std::vector<UrdfNode> waiting = {{root, -1, -1}};
    while (!waiting.empty()) {
      const UrdfNode node = waiting.back();
      waiting.pop_back();
      const int here = static_cast<int>(nodes.size());
      nodes.push_back(node);
      const auto& below = jointsBelow_[static_cast<std::size_t>(node.link)];
      for (auto it = below.rbegin(); it != below.rend(); ++it) waiting.push_back({it->second, it->first, here});
    }
    return nodes;
  }

  void reportLoop(const std::vector<UrdfNode>& nodes) {
    std::vector<bool> reached(urdf_.links.size(), false);
    for (const UrdfNode& node : nodes) reached[static_cast<std::size_t>(node.link)] = true;
    for (std::size_t i = 0; i < reached.size(); ++i)
      if (!reached[i])
        return out_.error("link '" + urdf_.links[i].name + "' is part of a loop of joints, not below the root",
                          urdf_.links[i].position);
  }

  const UrdfFile& urdf_;
  const std::string& path_;
  Diagnostics& out_;
  int errorsBefore_;
  std::map<std::string, int> index_;
  std::vector<std::string> names_;
  std::vector<int> jointAbove_;
  std::vector<std::vector<std::pair<int, int>>> jointsBelow_;  ///< Joint and child, by the joint's name.
};

}  // namespace

std::vector<UrdfNode> urdfTree(const UrdfFile& urdf, const std::string& path, Diagnostics& diagnostics) {
  return Tree(urdf, path, diagnostics).order();
}

}  // namespace mortise::io
