#include "mortise/modeling/resource_packing.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "mortise/base/error.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/text/article.h"

namespace mortise {

namespace {

std::string indexed(const std::string& name, std::size_t index) { return name + "[" + std::to_string(index) + "]"; }

class Unpacker {
 public:
  explicit Unpacker(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  ResourceLibrary operator()(const ConfigurationList& list) {
    for (std::size_t i = 0; i < list.configurations.size(); ++i) add(indexed("config", i), list.configurations[i]);
    return done();
  }
  ResourceLibrary operator()(const Trajectory& path) {
    add("times", path.times);
    add("milestones", ConfigurationList{path.configurations});
    return done();
  }
  ResourceLibrary operator()(const HermiteTrajectory& path) {
    return (*this)(std::get<MultiPath>(convertResource(path, FileContent::multipath, diagnostics_)));
  }
  ResourceLibrary operator()(const MultiPath& path) {
    if (const std::string problem = path.problem(); !problem.empty())
      throw Error("the path cannot be used: " + problem);
    for (std::size_t s = 0; s < path.sections.size(); ++s) addSection(path, s);
    bool held = false, settings = !path.settings.empty();
    for (std::size_t s = 0; s < path.sections.size(); ++s) {
      held = held || !path.goalsOf(s).empty() || !path.holdsOf(s).empty();
      settings = settings || !path.sections[s].settings.empty();
    }
    for (std::size_t s = 0; held && s < path.sections.size(); ++s) add(indexed("stance", s), stanceOf(path, s));
    if (settings) diagnostics_.warning("settings of the path are lost");
    return done();
  }
  ResourceLibrary operator()(const Hold& hold) {
    add("ikConstraint", hold.goal);
    for (std::size_t i = 0; i < hold.contacts.size(); ++i) {
      const ContactPoint& c = hold.contacts[i];
      add(indexed("contact", i),
          std::vector<double>{c.p_WC.x(), c.p_WC.y(), c.p_WC.z(), c.n_W.x(), c.n_W.y(), c.n_W.z(), c.friction});
    }
    return done();
  }
  ResourceLibrary operator()(const Stance& stance) {
    for (const Hold& hold : stance.holds) add("hold[" + std::to_string(hold.link) + "]", hold);
    return done();
  }
  ResourceLibrary operator()(const Grasp& grasp) {
    return (*this)(std::get<Stance>(convertResource(grasp, FileContent::stance, diagnostics_)));
  }
  ResourceLibrary operator()(const ResourceLibrary& library) { return library; }
  template <typename Other>
  ResourceLibrary operator()(const Other& other) {
    std::string kind(contentName(contentOf(Resource(other))));
    std::replace(kind.begin(), kind.end(), '_', ' ');
    throw Error(withArticle(kind) + " is not made of other resources, so there is nothing to unpack", {},
                "configurations, paths, MultiPaths, holds, stances, grasps and libraries are");
  }

 private:
  ResourceLibrary done() { return std::move(library_); }
  void add(const std::string& name, Resource value) { library_.items.push_back({name, {}, std::move(value)}); }

  void addSection(const MultiPath& path, std::size_t s) {
    const MultiPath::Section& section = path.sections[s];
    const bool moving = std::any_of(section.velocities.begin(), section.velocities.end(),
                                    [](const VectorXd& v) { return !v.isZero(0); });
    if (moving) {
      MultiPath alone;
      alone.sections.resize(1);
      alone.sections[0].milestones = section.milestones;
      alone.sections[0].times = section.times;
      alone.sections[0].velocities = section.velocities;
      add(indexed("section", s), std::move(alone));
    } else if (path.timed()) {
      add(indexed("section", s), Trajectory{section.times, section.milestones});
    } else {
      add(indexed("configs", s), ConfigurationList{section.milestones});
    }
  }

  Stance stanceOf(const MultiPath& path, std::size_t s) {
    Stance stance;
    const auto known = [&](int link) {
      return std::any_of(stance.holds.begin(), stance.holds.end(), [&](const Hold& hold) { return hold.link == link; });
    };
    const auto take = [&](const Hold& hold) {
      if (known(hold.link))
        diagnostics_.warning("link " + std::to_string(hold.link) + " has several holds in section " +
                             std::to_string(s) + "; the first is kept");
      else
        stance.holds.push_back(hold);
    };
    for (const Hold& hold : path.holdsOf(s)) take(hold);
    for (const IKGoal& goal : path.sections[s].goals) {
      Hold hold;
      hold.link = goal.link;
      hold.goal = goal;
      take(hold);
    }
    return stance;
  }

  Diagnostics& diagnostics_;
  ResourceLibrary library_;
};

/// The items by their kind, in their order.
class Parts {
 public:
  explicit Parts(const ResourceLibrary& library) : library_(library) {}

  template <typename T>
  std::vector<const T*> all() const {
    std::vector<const T*> list;
    for (const ResourceItem& item : library_.items)
      if (const T* value = std::get_if<T>(&item.value)) list.push_back(value);
    return list;
  }
  std::size_t count() const { return library_.items.size(); }
  /// Throws `Error` that names the first item of another kind.
  void allow(const std::set<FileContent>& kinds) const {
    if (library_.items.empty()) throw Error("there is nothing to pack");
    for (const ResourceItem& item : library_.items)
      if (!kinds.contains(contentOf(item.value)))
        throw Error("'" + item.name + "' (" + std::string(contentName(contentOf(item.value))) + ") is no part of it");
  }

 private:
  const ResourceLibrary& library_;
};

ConfigurationList packedConfigurations(const Parts& parts) {
  parts.allow({FileContent::configuration});
  ConfigurationList list;
  for (const VectorXd* q : parts.all<VectorXd>()) list.configurations.push_back(*q);
  return list;
}

/// Numbers in a file read as a configuration as well as a list.
std::vector<std::vector<double>> numberLists(const Parts& parts) {
  std::vector<std::vector<double>> lists;
  for (const auto* numbers : parts.all<std::vector<double>>()) lists.push_back(*numbers);
  return lists;
}

Hold packedHold(const Parts& parts) {
  parts.allow({FileContent::ikGoal, FileContent::numbers, FileContent::contactPoint});
  const auto goals = parts.all<IKGoal>();
  if (goals.size() != 1) throw Error("a hold has one IK goal, not " + std::to_string(goals.size()));
  Hold hold;
  hold.link = goals[0]->link;
  hold.goal = *goals[0];
  for (const std::vector<double>& c : numberLists(parts)) {
    if (c.size() != 7)
      throw Error("a contact point is 7 numbers (point, normal, friction), not " + std::to_string(c.size()));
    hold.contacts.push_back({Vector3d(c[0], c[1], c[2]), Vector3d(c[3], c[4], c[5]), c[6]});
  }
  for (const ContactPoint* point : parts.all<ContactPoint>()) hold.contacts.push_back(*point);
  return hold;
}

Stance packedStance(const Parts& parts) {
  parts.allow({FileContent::hold, FileContent::ikGoal});
  Stance stance;
  const auto take = [&](const Hold& hold) {
    for (const Hold& other : stance.holds)
      if (other.link == hold.link) throw Error("link " + std::to_string(hold.link) + " has two holds");
    stance.holds.push_back(hold);
  };
  for (const Hold* hold : parts.all<Hold>()) take(*hold);
  for (const IKGoal* goal : parts.all<IKGoal>()) {
    Hold hold;
    hold.link = goal->link;
    hold.goal = *goal;
    take(hold);
  }
  return stance;
}

Trajectory packedTrajectory(const Parts& parts) {
  parts.allow({FileContent::numbers, FileContent::configuration, FileContent::configurations});
  const auto times = numberLists(parts);
  const auto lists = parts.all<ConfigurationList>();
  if (times.size() != 1) throw Error("a path has one list of times, not " + std::to_string(times.size()));
  if (lists.size() + (parts.all<VectorXd>().empty() ? 0 : 1) != 1)
    throw Error("a path has one list of configurations, or configurations that are in no list");
  Trajectory path;
  path.times = times[0];
  if (!lists.empty()) path.configurations = lists[0]->configurations;
  for (const VectorXd* q : parts.all<VectorXd>()) path.configurations.push_back(*q);
  if (path.times.size() != path.configurations.size())
    throw Error("there are " + std::to_string(path.times.size()) + " times for " +
                std::to_string(path.configurations.size()) + " configurations");
  if (!std::is_sorted(path.times.begin(), path.times.end())) throw Error("the times decrease");
  return path;
}

MultiPath::Section sectionOf(const Trajectory& path) {
  MultiPath::Section section;
  section.times = path.times;
  section.milestones = path.configurations;
  return section;
}

void appendPath(MultiPath& path, const MultiPath& other) {
  for (const auto& [key, value] : other.settings) {
    std::erase_if(path.settings, [&](const auto& known) { return known.first == key; });
    path.settings.emplace_back(key, value);
  }
  const int first = static_cast<int>(path.holds.size());
  for (MultiPath::Section section : other.sections) {
    for (int& index : section.holdIndices) index += first;
    path.sections.push_back(std::move(section));
  }
  for (const MultiPath::NamedHold& hold : other.holds) {
    for (const MultiPath::NamedHold& known : path.holds)
      if (!hold.name.empty() && known.name == hold.name)
        throw Error("two of the paths have a hold called '" + hold.name + "'");
    path.holds.push_back(hold);
  }
}

MultiPath packedMultiPath(const ResourceLibrary& library, const Parts& parts) {
  parts.allow({FileContent::configurations, FileContent::trajectory, FileContent::multipath, FileContent::stance});
  const auto stances = parts.all<Stance>();
  MultiPath path;
  for (const ResourceItem& item : library.items) {
    if (const auto* list = std::get_if<ConfigurationList>(&item.value))
      path.sections.push_back(sectionOf(Trajectory{{}, list->configurations}));
    else if (const auto* line = std::get_if<Trajectory>(&item.value))
      path.sections.push_back(sectionOf(*line));
    else if (const auto* other = std::get_if<MultiPath>(&item.value))
      appendPath(path, *other);
  }
  if (path.sections.empty()) throw Error("a MultiPath needs at least one section");
  if (!stances.empty() && stances.size() != path.sections.size())
    throw Error("there are " + std::to_string(stances.size()) + " stances for " + std::to_string(path.sections.size()) +
                " sections");
  for (std::size_t s = 0; s < stances.size(); ++s) path.sections[s].holds = stances[s]->holds;
  if (const std::string problem = path.problem(); !problem.empty()) throw Error("the sections do not fit: " + problem);
  return path;
}

/// Parts of a name: runs of digits, and what is between them.
bool nameLess(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto number = [&](const std::string& text, std::size_t& at) {
        while (at < text.size() && text[at] == '0') ++at;
        const std::size_t begin = at;
        while (at < text.size() && digit(text[at])) ++at;
        return text.substr(begin, at - begin);
      };
      const std::string x = number(a, i), y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

}  // namespace

const std::vector<FileContent>& packableKinds() {
  using enum FileContent;
  static const std::vector<FileContent> kKinds = {configurations, hold, stance, trajectory, multipath};
  return kKinds;
}

ResourceLibrary unpacked(const Resource& resource, Diagnostics& diagnostics) {
  return std::visit(Unpacker(diagnostics), resource);
}

Resource packed(const ResourceLibrary& library, FileContent kind, Diagnostics& diagnostics) {
  const Parts parts(library);
  switch (kind) {
    case FileContent::configurations:
      return packedConfigurations(parts);
    case FileContent::hold:
      return packedHold(parts);
    case FileContent::stance:
      return packedStance(parts);
    case FileContent::grasp:
      return convertResource(packedStance(parts), FileContent::grasp, diagnostics);
    case FileContent::trajectory:
      return packedTrajectory(parts);
    case FileContent::multipath:
      return packedMultiPath(library, parts);
    case FileContent::library:
      return library;
    default:
      break;
  }
  throw Error(withArticle(contentName(kind)) + " is not made of other resources", {},
              "configurations, trajectory, multipath, hold, stance, grasp and library are");
}

Resource packed(const ResourceLibrary& library, Diagnostics& diagnostics) {
  std::string reasons;
  for (const FileContent kind : packableKinds()) try {
      return packed(library, kind, diagnostics);
    } catch (const Error& error) {
      reasons += (reasons.empty() ? "" : "; ") + std::string(contentName(kind)) + ": " + error.message();
    }
  throw Error("these resources do not make up one other resource", {}, reasons);
}

void sortByName(ResourceLibrary& library) {
  std::stable_sort(library.items.begin(), library.items.end(),
                   [](const ResourceItem& a, const ResourceItem& b) { return nameLess(a.name, b.name); });
}

}  // namespace mortise
