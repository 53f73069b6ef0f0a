#include <algorithm>
#include <cmath>
#include <map>

#include "mortise/text/suggest.h"
#include "urdf/urdf_builder.h"

namespace mortise::io {

namespace {

/// q_follower = scale * q_leader + offset.
struct Follower {
  int leader = -1;
  double scale = 1, offset = 0;
};

class Folder {
 public:
  Folder(const std::vector<const UrdfJoint*>& joint, RobotDescription& robot, Diagnostics& diagnostics)
      : joint_(joint), robot_(robot), out_(diagnostics) {}

  void fold(const UrdfFile& urdf) {
    std::map<std::string, int> linkOfJoint;
    for (std::size_t i = 0; i < joint_.size(); ++i)
      if (joint_[i] != nullptr) linkOfJoint[joint_[i]->name] = static_cast<int>(i);
    driverOf_.assign(robot_.links.size(), -1);
    for (std::size_t d = 0; d < robot_.drivers.size(); ++d)
      for (const int link : robot_.drivers[d].links) driverOf_[static_cast<std::size_t>(link)] = static_cast<int>(d);

    followers_.resize(robot_.links.size());
    bool any = false;
    for (std::size_t i = 0; i < joint_.size(); ++i) {
      if (joint_[i] == nullptr || !joint_[i]->mimic) continue;
      const UrdfMimic& mimic = *joint_[i]->mimic;
      if (driverOf_[i] < 0) {
        out_.warning("joint '" + joint_[i]->name + "' has no motor; its <mimic> is ignored", mimic.position);
        continue;
      }
      const auto leader = linkOfJoint.find(mimic.joint);
      if (leader == linkOfJoint.end()) {
        std::vector<std::string> names;
        for (const UrdfJoint& each : urdf.joints) names.push_back(each.name);
        out_.warning(
            "there is no joint '" + mimic.joint + "' to follow; the joint '" + joint_[i]->name + "' moves by itself",
            mimic.position, suggestFrom(mimic.joint, names));
        continue;
      }
      if (driverOf_[static_cast<std::size_t>(leader->second)] < 0) {
        out_.warning("joint '" + mimic.joint + "' has no motor, so nothing can follow it; the joint '" +
                         joint_[i]->name + "' moves by itself",
                     mimic.position);
        continue;
      }
      followers_[i] = {leader->second, mimic.multiplier, mimic.offset};
      any = true;
    }
    if (!any || !followChains()) return;
    makeAffine();
  }

 private:
  /// A follower of a follower follows the first leader. False for a circle.
  bool followChains() {
    for (std::size_t i = 0; i < followers_.size(); ++i) {
      Follower& follower = followers_[i];
      for (std::size_t steps = 0; follower.leader >= 0; ++steps) {
        const Follower& next = followers_[static_cast<std::size_t>(follower.leader)];
        if (next.leader < 0) break;
        if (steps > followers_.size() || next.leader == static_cast<int>(i)) {
          out_.error("joint '" + joint_[i]->name + "' follows itself", joint_[i]->mimic->position,
                     "one joint of the circle must move by itself");
          return false;
        }
        follower = {next.leader, follower.scale * next.scale, follower.offset + follower.scale * next.offset};
      }
    }
    return true;
  }

  void makeAffine() {
    for (std::size_t i = 0; i < followers_.size(); ++i) {
      const Follower& follower = followers_[i];
      if (follower.leader < 0) continue;
      Driver& driver = robot_.drivers[static_cast<std::size_t>(driverOf_[static_cast<std::size_t>(follower.leader)])];
      if (driver.type == DriverType::normal) {
        driver.type = DriverType::affine;
        driver.scale = {1};
        driver.offset = {0};
      }
      driver.links.push_back(static_cast<int>(i));
      driver.scale.push_back(follower.scale);
      driver.offset.push_back(follower.offset);
      narrow(driver, robot_.links[i], follower, *joint_[i]);
    }
    std::erase_if(robot_.drivers, [this](const Driver& driver) {
      return driver.type == DriverType::normal && followers_[static_cast<std::size_t>(driver.links[0])].leader >= 0;
    });
  }

  /// The driver must keep within the limits of everyone who follows. Torque limits stay those of the leader.
  void narrow(Driver& driver, const Link& link, const Follower& follower, const UrdfJoint& joint) {
    const double a = (link.qMin - follower.offset) / follower.scale;
    const double b = (link.qMax - follower.offset) / follower.scale;
    const double low = std::max(driver.qMin, std::min(a, b)), high = std::min(driver.qMax, std::max(a, b));
    if (low <= high) {
      driver.qMin = low;
      driver.qMax = high;
    } else {
      out_.warning(
          "the limits of joint '" + joint.name + "' leave the joint it follows nowhere to go; they do not count",
          joint.position);
    }
    const double scale = std::abs(follower.scale);
    driver.velocityMax = std::min(driver.velocityMax, link.velocityMax / scale);
    driver.velocityMin = -driver.velocityMax;
    driver.accelerationMax = std::min(driver.accelerationMax, link.accelerationMax / scale);
    driver.accelerationMin = -driver.accelerationMax;
  }

  const std::vector<const UrdfJoint*>& joint_;
  RobotDescription& robot_;
  Diagnostics& out_;
  std::vector<int> driverOf_;
  std::vector<Follower> followers_;
};

}  // namespace

void foldMimicJoints(const UrdfFile& urdf, const std::vector<const UrdfJoint*>& joint, RobotDescription& robot,
                     Diagnostics& diagnostics) {
  Folder(joint, robot, diagnostics).fold(urdf);
}

}  // namespace mortise::io
