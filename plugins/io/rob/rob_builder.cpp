#include "rob/rob_builder.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "common/references.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/geometry/klampt_automass.h"
#include "mortise/geometry/mass_assumptions.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/modeling/link_visuals.h"
#include "mortise/modeling/robot_edit.h"
#include "mortise/modeling/robot_scale.h"
#include "mortise/text/suggest.h"
#include "rob/rob_text.h"

namespace mortise::io {

namespace {

/// Returns the transform that Craig (Introduction to Robotics, 1986) calls the modified Denavit-Hartenberg convention:
/// a and alpha of the link before, d and theta of this one.
RigidTransform denavitHartenberg(double alpha, double a, double d, double theta) {
  const double c = std::cos(theta), s = std::sin(theta), ca = std::cos(alpha), sa = std::sin(alpha);
  RigidTransform X;
  X.R << c, -s, 0, s * ca, c * ca, -sa, s * sa, c * sa, ca;
  X.p << a, -sa * d, ca * d;
  return X;
}

class RobBuilder {
 public:
  RobBuilder(const RobFile& rob, ReadContext& context)
      : rob_(rob), context_(context), out_(context.diagnostics), errorsBefore_(out_.errorCount()) {}

  RobotDescription build() {
    robot_.name = stemOf(context_.path);
    robot_.file = context_.path;
    for (const auto& property : rob_.properties) {
      if (isLinkVisual(property))
        robot_.properties.emplace_back(property.first, visualsHere(property.second));
      else if (property.first != kNameProperty)
        robot_.properties.push_back(property);
      else if (!property.second.empty())
        robot_.name = property.second;
    }
    robot_.sensors = rob_.sensors;
    robot_.controller = rob_.controller;
    if (!countLinks()) return robot_;
    buildLinks();
    buildMasses();
    loadGeometry();
    buildJoints();
    buildDrivers();
    if (failed()) return robot_;
    mountMeshes();
    if (rob_.autoMass) autoMass();
    SelfCollisions selfCollisions(robot_, out_);
    selfCollisions.choose(rob_.selfCollision, rob_.noSelfCollision);
    mountRobots();
    selfCollisions.finish();
    scaleRobot(robot_, rob_.scale);
    if (rob_.scale != 1 && !robot_.sensors.isNull())
      out_.warning("'scale' leaves the places of the robot's sensors as they are written", inFile(context_.path));
    return robot_;
  }

 private:
  /// Visual shapes of links, with references from this file.
  std::string visualsHere(const std::string& text) const {
    try {
      std::vector<LinkVisual> visuals = linkVisualsFromText(text);
      for (LinkVisual& visual : visuals) visual.file = context_.path;
      return linkVisualText(visuals);
    } catch (const Error&) {
      return text;  // Who draws the robot says so.
    }
  }

  bool failed() const { return out_.errorCount() > errorsBefore_; }

  // The length that most lists agree on; the smaller one wins a tie.
  bool countLinks() {
    std::map<std::size_t, int> votes;
    for (const std::size_t size :
         {rob_.parents.size(), rob_.jointTypes.size(), rob_.links.size(), rob_.masses.size(), rob_.coms.size(),
          rob_.inertias.size(), rob_.a.size(), rob_.d.size(), rob_.alpha.size(), rob_.theta.size(),
          rob_.transforms.size(), rob_.axes.size(), rob_.q.size(), rob_.qMin.size(), rob_.qMax.size(),
          rob_.velocityMin.size(), rob_.velocityMax.size(), rob_.torqueMax.size(), rob_.powerMax.size()})
      if (size > 0) ++votes[size];
    int best = 0;
    for (const auto& [size, count] : votes)
      if (count > best) {
        best = count;
        n_ = size;
      }
    if (n_ == 0 && rob_.explained) {
      n_ = 1;
      isTemplate_ = true;
      out_.warning("the file gives no links; the robot has one, welded to the world", inFile(context_.path),
                   "give at least 'TParent' and 'parents'");
      return true;
    }
    if (n_ == 0) {
      out_.error("the file describes no links", inFile(context_.path), "it needs at least 'TParent' and 'parents'");
      return false;
    }
    checkSize(rob_.parents, "parents");
    checkSize(rob_.jointTypes, "jointtype");
    checkSize(rob_.links, "links");
    checkSize(rob_.masses, "mass");
    checkSize(rob_.coms, "com");
    checkSize(rob_.inertias, "inertia");
    checkSize(rob_.a, "a");
    checkSize(rob_.d, "d");
    checkSize(rob_.alpha, "alpha");
    checkSize(rob_.theta, "theta");
    checkSize(rob_.transforms, "TParent");
    checkSize(rob_.axes, "axis");
    checkSize(rob_.q, "q");
    checkSize(rob_.qMin, "qMin");
    checkSize(rob_.qMax, "qMax");
    checkSize(rob_.velocityMin, "velMin");
    checkSize(rob_.velocityMax, "velMax");
    checkSize(rob_.accelerationMax, "accMax");
    checkSize(rob_.torqueMax, "torqueMax");
    checkSize(rob_.powerMax, "powerMax");
    checkSize(rob_.geometry, "geometry");
    checkSize(rob_.geometryScale, "geomscale", true);
    checkSize(rob_.geometryMargin, "geommargin", true);
    if (rob_.transforms.empty() && (rob_.a.empty() || rob_.d.empty() || rob_.alpha.empty() || rob_.theta.empty()))
      out_.error("the links have no transforms", inFile(context_.path),
                 "give 'TParent', or all of 'alpha', 'a', 'd' and 'theta'");
    return !failed();
  }

  template <typename T>
  void checkSize(const RobList<T>& list, const char* keyword, bool oneWillDo = false) {
    if (list.empty() || list.size() == n_ || (oneWillDo && list.size() == 1)) return;
    out_.error(std::string(keyword) + " has " + std::to_string(list.size()) + " entries; the robot has " +
                   std::to_string(n_) + " links",
               list.position);
  }

  void buildLinks() {
    robot_.links.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      Link& link = robot_.links[i];
      link.name = rob_.links.at(i, "Link_" + std::to_string(i));
      link.parent = rob_.parents.at(i, static_cast<int>(i) - 1);
      if (link.parent < -1 || link.parent >= static_cast<int>(i))
        out_.error("link " + std::to_string(i) + " has parent " + std::to_string(link.parent) +
                       "; parents come before their children, -1 is the world",
                   rob_.parents.position);
      link.motion = rob_.jointTypes.at(i, LinkMotion::revolute);
      if (isTemplate_) continue;
      if (rob_.transforms.empty()) {
        link.X_PL0 = denavitHartenberg(rob_.alpha[i], rob_.a[i], rob_.d[i], rob_.theta[i]);
      } else {
        link.X_PL0 = rob_.transforms[i];
        const double off = (link.X_PL0.R.transpose() * link.X_PL0.R - Matrix3d::Identity()).cwiseAbs().maxCoeff();
        if (off > 1e-4)
          out_.warning("the rotation of link '" + link.name + "' in TParent is off by " + formatReal(off, 3) +
                           "; it is used as it is",
                       rob_.transforms.position, "its rows must be orthogonal and of length 1");
        link.axis = rob_.axes.at(i, Vector3d::UnitZ());
        if (link.axis.isZero(0)) out_.error("the axis of link " + std::to_string(i) + " is zero", rob_.axes.position);
      }
      if (link.parent < 0 && !(rob_.base == RigidTransform())) link.X_PL0 = rob_.base * link.X_PL0;
      link.q = rob_.q.at(i, 0);
      link.qMin = rob_.qMin.at(i, -kInfinity);
      link.qMax = rob_.qMax.at(i, kInfinity);
      link.velocityMax = rob_.velocityMax.at(i, kInfinity);
      link.velocityMin = rob_.velocityMin.at(i, -link.velocityMax);
      // Klamp't would estimate missing limits from the torques, but does so before masses are known, which always
      // comes out infinite.
      link.accelerationMax = rob_.accelerationMax.at(i, kInfinity);
      link.torqueMax = rob_.torqueMax.at(i, kInfinity);
      link.powerMax = rob_.powerMax.at(i, kInfinity);
    }
  }

  void buildMasses() {
    for (std::size_t i = 0; i < n_; ++i) {
      BodyInertia& body = robot_.links[i].inertia;
      body.mass = rob_.masses.at(i, 1);
      body.com = rob_.coms.at(i, Vector3d::Zero());
      body.inertia = rob_.inertias.at(i, Matrix3d::Identity());
      if (body.mass < 0) out_.error("the mass of link " + std::to_string(i) + " is negative", rob_.masses.position);
    }
    if (rob_.autoTorque == 0) return;
    // Klamp't's estimate, from the last link to the first as if all were one chain in the order of their indices: the
    // weight of the link and those after it at a mean distance, to which each link adds the offset from its own parent
    // (and not that of the link after it). The last link's is 0 where its center of mass is at its origin.
    const double gravity = std::abs(rob_.autoTorque) * 9.8;
    double mass = 0, arm = 0;
    for (std::size_t i = n_; i-- > 0;) {
      Link& link = robot_.links[i];
      const double outerMass = mass, outerArm = arm + link.X_PL0.p.norm();
      mass += link.inertia.mass;
      arm = mass > 0 ? (link.inertia.com.norm() * link.inertia.mass + outerArm * outerMass) / mass : 0;
      link.torqueMax = arm * rob_.scale * mass * gravity;
    }
  }

  void loadGeometry() {
    massShapes_.resize(n_);
    for (std::size_t i = 0; i < rob_.geometry.size(); ++i) {
      const std::string& reference = rob_.geometry[i];
      if (reference.empty()) continue;
      Link& link = robot_.links[i];
      link.geometryFile = reference;
      loadReference(out_, rob_.geometryPositions[i], [&] {
        GeometryPtr geometry = context_.loader.load<GeometryPtr>(reference, context_.path, out_);
        const double scale = one(rob_.geometryScale, i, 1);
        link.geometryScale = scale;
        const AffineMap scaling = AffineMap::scaling(Vector3d::Constant(scale));
        if (rob_.autoMass) {
          massShapes_[i] = withSingleVertices(geometry);
          if (scale != 1) massShapes_[i] = transformed(*massShapes_[i], scaling);
        }
        if (scale != 1) geometry = transformed(*geometry, scaling);
        const double margin = one(rob_.geometryMargin, i, 0);
        if (margin != 0) geometry = geometry->withMargin(margin);
        link.geometry = std::move(geometry);
        return true;
      });
    }
    for (std::size_t k = 0; k < rob_.geometryTransforms.size(); ++k) {
      const auto& [index, map] = rob_.geometryTransforms[k];
      if (index < 0 || index >= static_cast<int>(n_)) {
        out_.error("geomtransform names link " + std::to_string(index) + "; there are " + std::to_string(n_),
                   rob_.geometryTransformPositions[k]);
        continue;
      }
      Link& link = robot_.links[index];
      if (!link.geometry) continue;
      loadReference(out_, rob_.geometryTransformPositions[k], [this, &link = link, &map = map, i = index] {
        link.geometry = transformed(*link.geometry, map);
        if (massShapes_[i]) massShapes_[i] = transformed(*massShapes_[i], map);
        link.geometryTransform = map * link.geometryTransform;
        return true;
      });
    }
  }

  static double one(const RobList<double>& list, std::size_t i, double fallback) {
    return list.size() == 1 ? list[0] : list.at(i, fallback);
  }

  bool isLink(int i) const { return i >= 0 && i < static_cast<int>(robot_.links.size()); }

  void buildJoints() {
    for (const auto& [joint, position] : rob_.jointLines) {
      if (!isLink(joint.link) || joint.base < -1 || joint.base >= static_cast<int>(n_))
        out_.error("the joint names link " + std::to_string(isLink(joint.link) ? joint.base : joint.link) +
                       "; there are " + std::to_string(n_),
                   position);
      else if (takeApart(joint, position))
        continue;
      else
        checkChain(joint, position);
      robot_.joints.push_back(joint);
    }
    addClosedJoints();
    if (!robot_.joints.empty()) return;
    for (std::size_t i = 0; i < n_; ++i) {
      const Link& link = robot_.links[i];
      const bool fixed = isTemplate_ || (link.parent == -1 && link.velocityMin == 0 && link.velocityMax == 0);
      robot_.joints.push_back({fixed ? JointType::weld : JointType::normal, static_cast<int>(i), -1});
    }
  }

  /// A loop that closes at a link: Klamp't keeps the word and does nothing with it. The link moves by its own joint.
  void addClosedJoints() {
    for (const auto& [link, position] : rob_.closedJoints) {
      if (!isLink(link)) {
        out_.error("the joint names link " + std::to_string(link) + "; there are " + std::to_string(n_), position);
        continue;
      }
      out_.warning("the loop is not closed: link '" + robot_.links[link].name + "' moves freely about its axis",
                   position, "hold it in a world with a <joint> of <simulation>, or with a goal of inverse kinematics");
      const auto same = [link = link](const auto& line) { return line.first.link == link; };
      if (!rob_.jointLines.empty() && std::none_of(rob_.jointLines.begin(), rob_.jointLines.end(), same))
        robot_.joints.push_back({JointType::normal, link, -1});
    }
  }

  /// A floating joint of three links that only shift, as in Klamp't's `sphere.rob`, becomes three joints. False: it is
  /// none.
  bool takeApart(const Joint& joint, const SourcePosition& position) {
    if (joint.type != JointType::floating) return false;
    std::vector<int> chain;
    for (int link = joint.link; link >= 0 && link != joint.base; link = robot_.links[link].parent) {
      if (robot_.links[link].motion != LinkMotion::prismatic || chain.size() == 3) return false;
      chain.push_back(link);
    }
    if (chain.size() != 3) return false;
    out_.warning("a floating joint needs a chain of 6 links; the 3 that shift link '" + robot_.links[joint.link].name +
                     "' become joints of their own, and nothing turns it",
                 position, "add three revolute links, or write 'joint normal' for each");
    std::sort(chain.begin(), chain.end());
    for (const int link : chain) robot_.joints.push_back({JointType::normal, link, -1});
    return true;
  }

  void checkChain(const Joint& joint, const SourcePosition& position) {
    const int length = joint.type == JointType::floating                                                   ? 6
                       : joint.type == JointType::floatingPlanar || joint.type == JointType::ballAndSocket ? 3
                                                                                                           : 1;
    if (length == 1) return;
    int found = 0;
    int link = joint.link;
    while (link >= 0 && link != joint.base && robot_.links[link].parent < link) {
      ++found;
      link = robot_.links[link].parent;
    }
    if (link != joint.base || found != length)
      out_.error("a joint of this type needs a chain of " + std::to_string(length) + " links; from link " +
                     std::to_string(joint.link) + " back to link " + std::to_string(joint.base) + " there are " +
                     (link == joint.base ? std::to_string(found) : "none"),
                 position);
  }

  void buildDrivers() {
    for (const auto& [line, position] : rob_.driverLines) {
      Driver driver = line;
      bool good = true;
      for (const int link : driver.links)
        if (!isLink(link)) {
          out_.error("the driver names link " + std::to_string(link) + "; there are " + std::to_string(n_), position);
          good = false;
        }
      for (const double scale : driver.scale)
        if (scale == 0) {
          out_.error("the scale of an affine driver must not be 0", position);
          good = false;
        }
      if (good) setLimits(driver);
      robot_.drivers.push_back(std::move(driver));
    }
    if (rob_.driverLines.empty()) {
      for (const Joint& joint : robot_.joints) {
        if ((joint.type != JointType::normal && joint.type != JointType::spin) || !isLink(joint.link)) continue;
        Driver driver;
        driver.links = {joint.link};
        setLimits(driver);
        robot_.drivers.push_back(std::move(driver));
      }
    }
    const std::size_t count = robot_.drivers.size();
    if (!rob_.drivers.empty() && rob_.drivers.size() != count) perDriver(rob_.drivers, "drivers", count);
    for (std::size_t i = 0; i < count; ++i) {
      Driver& driver = robot_.drivers[i];
      driver.name = rob_.drivers.at(i, isLink(driver.links[0]) ? robot_.links[driver.links[0]].name : "");
    }
    servo(rob_.servoP, "servoP", &Driver::servoP);
    servo(rob_.servoI, "servoI", &Driver::servoI);
    servo(rob_.servoD, "servoD", &Driver::servoD);
    servo(rob_.dryFriction, "dryFriction", &Driver::dryFriction);
    servo(rob_.viscousFriction, "viscousFriction", &Driver::viscousFriction);
  }

  void setLimits(Driver& driver) {
    if (driver.type == DriverType::affine) {
      for (std::size_t k = 0; k < driver.links.size(); ++k)
        driver.accelerationMax =
            std::min(driver.accelerationMax, robot_.links[driver.links[k]].accelerationMax / std::abs(driver.scale[k]));
      driver.accelerationMin = -driver.accelerationMax;
      return;
    }
    const Link& link = robot_.links[driver.links[0]];
    takeLimits(driver, link);
  }

  template <typename T>
  void perDriver(const RobList<T>& list, const char* keyword, std::size_t count) {
    out_.error(std::string(keyword) + " has " + std::to_string(list.size()) + " entries; the robot has " +
                   std::to_string(count) + " drivers",
               list.position, "these lists have one entry a driver, not one a link");
  }

  void servo(const RobList<double>& list, const char* keyword, double Driver::*target) {
    if (list.empty()) return;
    if (list.size() != robot_.drivers.size()) return perDriver(list, keyword, robot_.drivers.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] < 0) out_.error(std::string(keyword) + " must not be negative", list.position);
      robot_.drivers[i].*target = list[i];
    }
  }

  void mountMeshes() {
    bool robotBefore = false;
    for (const RobMount& mount : rob_.mounts) {
      const int link = linkIndex(robot_, mount.link);
      const bool robot = isRobotFile(mount.file);
      // It may be a link of a robot that is mounted before it.
      const bool later = link == -2 && robotBefore;
      robotBefore = robotBefore || robot;
      if (later) continue;
      if (link == -2 || (link == -1 && !robot)) {
        noSuchLink(mount);
        continue;
      }
      if (robot) continue;
      loadReference(out_, mount.position, [&] {
        const GeometryPtr part = context_.loader.load<GeometryPtr>(mount.file, context_.path, out_);
        Link& target = robot_.links[link];
        target.geometry = unionOf(target.geometry, transformed(*part, mount.X_LM));
        if (rob_.autoMass)
          massShapes_[link] = unionOf(massShapes_[link], transformed(*withSingleVertices(part), mount.X_LM));
        return true;
      });
    }
  }

  void noSuchLink(const RobMount& mount) {
    std::vector<std::string> names;
    for (const Link& link : robot_.links) names.push_back(link.name);
    out_.error("there is no link '" + mount.link + "' to mount on", mount.position, didYouMean(mount.link, names));
  }

  void autoMass() {
    loadReference(out_, rob_.autoMassPosition, [this] {
      for (std::size_t i = 0; i < n_; ++i) {
        Link& link = robot_.links[i];
        BodyInertia& body = link.inertia;
        const bool shaped = hasGeometry(link);
        const GeometryPtr& shape = massShapes_[i];
        if (shaped && body.mass != 0 && (rob_.coms.empty() || rob_.inertias.empty()))
          warnOfMassAssumptions(massAssumptions(*shape, rob_.surfaceFraction), rob_.autoMassPosition, out_);
        if (rob_.coms.empty())
          body.com = shaped ? klamptMassProperties(*shape, body.mass, rob_.surfaceFraction).com : Vector3d::Zero();
        if (rob_.inertias.empty()) {
          body.inertia.setZero();
          if (shaped && body.mass != 0)
            body.inertia = klamptMassPropertiesAbout(*shape, body.mass, body.com, rob_.surfaceFraction).inertia;
        }
      }
      return true;
    });
  }

  void mountRobots() {
    const int own = static_cast<int>(n_);
    for (const RobMount& mount : rob_.mounts) {
      const int link = linkIndex(robot_, mount.link);
      const bool robot = isRobotFile(mount.file);
      if (link == -2 || (link == -1 && !robot)) {
        // Reported already, unless it could have been a link of a robot mounted meanwhile.
        if (link == -2 && static_cast<int>(robot_.links.size()) > own) noSuchLink(mount);
        continue;
      }
      if (robot) {
        auto part = loadReference(out_, mount.position, [&] {
          return context_.loader.load<RobotDescription>(mount.file, context_.path, out_);
        });
        if (part) mountRobot(robot_, link, mount.X_LM, mount.prefix, std::move(*part));
      } else if (link >= own) {
        loadReference(out_, mount.position, [&] {
          mountGeometry(robot_, link, mount.X_LM, context_.loader.load<GeometryPtr>(mount.file, context_.path, out_));
          return true;
        });
      }
    }
  }

  const RobFile& rob_;
  ReadContext& context_;
  Diagnostics& out_;
  int errorsBefore_;  ///< Other files may have added theirs.
  std::size_t n_ = 0;
  bool isTemplate_ = false;  ///< No values at all, only explanations of what keywords take.
  RobotDescription robot_;
  std::vector<GeometryPtr> massShapes_;  ///< With automass: the links' shapes as the reference keeps them.
};

}  // namespace

bool isRobotFile(const std::string& file) {
  const std::string extension = extensionOf(file);
  return extension == "rob" || extension == "urdf";
}

RobotDescription buildRobot(const RobFile& rob, ReadContext& context) { return RobBuilder(rob, context).build(); }

}  // namespace mortise::io
