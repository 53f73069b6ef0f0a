#include "mortise/mechanics/motion_balance.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/mechanics/contact_formation.h"

namespace mortise {

namespace {

/// Contacts that hold a section.
struct SectionContacts {
  std::vector<LinkContact> held;
  std::vector<int> links;  ///< That touch the world.
};

SectionContacts contactsOfSection(const MultiPath& motion, std::size_t section) {
  SectionContacts contacts;
  contacts.held = contactsOf(Stance{motion.holdsOf(section)});
  for (const IKGoal& goal : motion.goalsOf(section)) contacts.links.push_back(goal.link);
  return contacts;
}

std::string plural(int count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

int MotionBalance::balanced() const {
  return static_cast<int>(
      std::count_if(milestones.begin(), milestones.end(), [](const Milestone& m) { return m.balanced; }));
}

double MotionBalance::smallestMargin() const {
  double margin = kInfinity;
  for (const Milestone& milestone : milestones) margin = std::min(margin, milestone.margin);
  return margin;
}

MotionBalance testBalance(const RobotPtr& robot, const MultiPath& motion, const std::vector<LinkContact>& fixed,
                          RobotInWorld* world, const BalanceOptions& options) {
  if (motion.dimension() != robot->numLinks())
    throw Error("the motion has configurations of " + std::to_string(motion.dimension()) + " numbers, robot '" +
                    robot->name() + "' has " + std::to_string(robot->numLinks()) + " links",
                {}, "give a motion of this robot");
  RobotDynamics dynamics(robot);
  MotionBalance result;
  for (std::size_t s = 0; s < motion.sections.size(); ++s) {
    const MultiPath::Section& section = motion.sections[s];
    const SectionContacts own = contactsOfSection(motion, s);
    if (fixed.empty() && own.held.empty() && world == nullptr)
      throw Error("section " + std::to_string(s) + " of the motion has no holds with contacts", {},
                  "give --stance, --contacts or --world");
    for (std::size_t i = 0; i < section.milestones.size(); ++i) {
      const VectorXd& q = section.milestones[i];
      std::vector<LinkContact> contacts = fixed;
      if (fixed.empty()) contacts = own.held;
      if (contacts.empty()) contacts = world->contacts(q, own.links);
      dynamics.setPosition(q);
      const Balance balance = testBalance(dynamics, contacts, options);
      result.milestones.push_back(
          {static_cast<int>(s), static_cast<int>(i),
           section.times.empty() ? static_cast<double>(result.milestones.size()) : section.times[i],
           static_cast<int>(contacts.size()), balance.balanced, balance.margin});
    }
  }
  return result;
}

Value motionBalanceValue(const MotionBalance& balance) {
  const auto finite = [](double x) { return std::isfinite(x) ? Value(x) : Value(); };
  Value result = Value::map(), list = Value::list();
  for (const MotionBalance::Milestone& milestone : balance.milestones) {
    Value entry = Value::map();
    entry.set("section", milestone.section);
    entry.set("index", milestone.index);
    entry.set("time", milestone.time);
    entry.set("contacts", milestone.contacts);
    entry.set("balanced", milestone.balanced);
    entry.set("margin", finite(milestone.margin));
    list.push_back(std::move(entry));
  }
  const double count = std::max<double>(1, static_cast<double>(balance.milestones.size()));
  result.set("balanced", balance.balanced());
  result.set("balanced_fraction", balance.balanced() / count);
  result.set("margin", finite(balance.smallestMargin()));
  result.set("milestones", std::move(list));
  return result;
}

std::string motionBalanceText(const MotionBalance& balance) {
  std::string text = std::to_string(balance.balanced()) + " of " +
                     plural(static_cast<int>(balance.milestones.size()), "milestone") + " are balanced\n";
  for (std::size_t first = 0; first < balance.milestones.size();) {
    std::size_t end = first;
    int balanced = 0, nothing = 0, everywhere = 0;
    std::vector<double> margins;
    for (; end < balance.milestones.size() && balance.milestones[end].section == balance.milestones[first].section;
         ++end) {
      balanced += balance.milestones[end].balanced;
      const double margin = balance.milestones[end].margin;
      if (std::isfinite(margin)) margins.push_back(1e3 * margin);
      nothing += margin == -kInfinity;
      everywhere += margin == kInfinity;
    }
    std::sort(margins.begin(), margins.end());
    text += "  section " + std::to_string(balance.milestones[first].section) + ": " + std::to_string(balanced) +
            " of " + std::to_string(end - first);
    if (!margins.empty())
      text += ", margins " + formatReal(margins.front(), 4) + " to " + formatReal(margins.back(), 4) + " mm, median " +
              formatReal(margins[margins.size() / 2], 4);
    if (everywhere > 0) text += ", held wherever the center of mass is: " + std::to_string(everywhere);
    if (nothing > 0) text += ", nothing balances on the contacts of " + std::to_string(nothing);
    text += "\n";
    first = end;
  }
  return text;
}

}  // namespace mortise
