#include "scene_model.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise::mujoco {

namespace {

/// Distance of the two points at which a hinge that closes a loop is tied, in meters.
constexpr double kHingeWidth = 0.2;
/// Inertia of bodies that nothing moves, in proportion to the mass of all others.
constexpr double kUnmovable = 1e9;

bool isDiagonal(const Matrix3d& I) {
  return std::abs(I(0, 1)) + std::abs(I(0, 2)) + std::abs(I(1, 2)) <= 1e-12 * I.trace();
}

/// Center of mass and principal axes, in the body's frame.
RigidTransform principalFrame(const BodyInertia& inertia) {
  if (isDiagonal(inertia.inertia)) return RigidTransform::translation(inertia.com);
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(0.5 * (inertia.inertia + inertia.inertia.transpose()));
  Matrix3d R = solver.eigenvectors();
  if (R.determinant() < 0) R.col(2) = -R.col(2);
  return {R, inertia.com};
}

/// In the order of the axes of that frame.
Vector3d principalMoments(const BodyInertia& inertia) {
  const Matrix3d R = principalFrame(inertia).R;
  return (R.transpose() * inertia.inertia * R).diagonal();
}

bool hasInertia(const BodyInertia& inertia) {
  if (!(inertia.mass > 0) || !std::isfinite(inertia.mass) || !inertia.com.allFinite() || !inertia.inertia.allFinite())
    return false;
  const Matrix3d& I = inertia.inertia;
  return I(0, 0) > 0 && I.topLeftCorner<2, 2>().determinant() > 0 && I.determinant() > 0;
}

void setSolverParameters(const SolverParameters& from, mjtNum* solref, mjtNum* solimp, int count) {
  for (int i = 0; i < count; ++i) {
    std::copy(from.solref.begin(), from.solref.end(), solref + mjNREF * i);
    std::copy(from.solimp.begin(), from.solimp.end(), solimp + mjNIMP * i);
  }
}

}  // namespace

SceneModel::SceneModel(const SceneDescription& description, const MujocoSettings& settings) : tree_(description) {
  tree_.order();  // Throws where joints go around in circles.
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const SceneBody& body = description.bodies[i];
    checkBody(body);
    BodyPlace place;
    if (tree_.bodies[i].kind == Attachment::Kind::free && hasInertia(body.inertia))
      place.X_BM = principalFrame(body.inertia);
    bodies_.push_back(place);
  }
  ShapeWriter shapes(description, settings);
  std::string bodies;
  for (const int root : tree_.children.back()) bodies += bodyText(description, shapes, root);
  model_ = compileModel(
      "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\" balanceinertia=\"true\" "
      "usethread=\"false\"/>\n<asset>\n" +
      shapes.assets() + "</asset>\n<worldbody>\n" + shapes.planeGeoms() + bodies + "</worldbody>\n<equality>\n" +
      equalityText(description) + "</equality>\n</mujoco>\n");
  restoreInertias();
  findPlaces(description, shapes);
  placeConnections(description);
  setOptions(description, settings);
}

void SceneModel::checkBody(const SceneBody& body) const {
  if (!body.X_WB.allFinite() || !body.v_WB.allFinite() || !body.w_WB.allFinite())
    throw Error("the initial state of body '" + body.name + "' is not finite");
  if (body.motion == BodyMotion::dynamic && !hasInertia(body.inertia))
    throw Error("body '" + body.name + "' needs a positive mass and a positive definite inertia", {},
                "give it a mass and an inertia, or make it fixed");
}

std::string SceneModel::inertiaText(const SceneBody& body, const RigidTransform& X_BM) const {
  if (!hasInertia(body.inertia)) {
    // Of bodies that nothing moves; MuJoCo asks for some.
    return body.motion == BodyMotion::fixed ? "" : "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>\n";
  }
  return "<inertial" + poseAttributes(X_BM.inverse() * principalFrame(body.inertia)) +
         attribute("mass", {body.inertia.mass}) + attribute("diaginertia", principalMoments(body.inertia)) + "/>\n";
}

std::string SceneModel::jointText(int i) const {
  const Attachment& at = tree_.bodies[i];
  const std::string name = " name=\"j" + std::to_string(i) + "\"";
  if (at.kind == Attachment::Kind::free) return "<freejoint" + name + "/>\n";
  if (!at.moves()) return "";
  std::string text = "<joint" + name + (at.kind == Attachment::Kind::hinge ? " type=\"hinge\"" : " type=\"slide\"") +
                     attribute("pos", at.anchor) + attribute("axis", at.axis);
  const bool limited = std::isfinite(at.lower) || std::isfinite(at.upper);
  // MuJoCo has limits in pairs, and wants some way between them.
  const double lower = std::max(at.lower, -1e9), upper = std::min(std::max(at.upper, lower + 1e-9), 1e9);
  if (limited) text += " limited=\"true\"" + attribute("range", {lower, upper});
  return text + "/>\n";
}

std::string SceneModel::bodyText(const SceneDescription& description, ShapeWriter& shapes, int i) {
  const SceneBody& body = description.bodies[i];
  const Attachment& at = tree_.bodies[i];
  const RigidTransform& X_BM = bodies_[i].X_BM;
  const RigidTransform X_PM = at.parent < 0 ? at.X_PB0 * X_BM : bodies_[at.parent].X_BM.inverse() * at.X_PB0 * X_BM;
  const std::string name = std::to_string(i);
  std::string text = "<body name=\"b" + name + "\"" + poseAttributes(X_PM) + ">\n" + jointText(i) +
                     inertiaText(body, X_BM) + "<geom name=\"a" + name +
                     "\" type=\"sphere\" size=\"0.001\" contype=\"0\" conaffinity=\"0\" mass=\"0\"/>\n";
  if (description.contactSource == ContactSource::engine) text += shapes.geoms(i, X_BM);
  if (body.motion == BodyMotion::dynamic) {
    const Vector3d moments = principalMoments(body.inertia);
    if (2 * moments.maxCoeff() > moments.sum()) unbalanced_.push_back({i, principalMoments(body.inertia)});
  }
  for (const int child : tree_.children[i]) text += bodyText(description, shapes, child);
  return text + "</body>\n";
}

std::string SceneModel::equalityText(const SceneDescription& description) const {
  std::string text;
  for (const int c : tree_.loops) {
    const SceneConstraint& from = description.constraints[c];
    const int first = from.a >= 0 ? from.a : from.b, second = from.a >= 0 ? from.b : from.a;
    const std::string bodies = " body1=\"b" + std::to_string(first) + "\"" +
                               (second >= 0 ? " body2=\"b" + std::to_string(second) + "\"" : std::string());
    const auto poseOf = [&](int i) {
      return i < 0 ? RigidTransform()
                   : RigidTransform(orthonormalized(description.bodies[i].X_WB.R), description.bodies[i].X_WB.p) *
                         bodies_[i].X_BM;
    };
    if (from.type == SceneConstraint::Type::hinge) {
      for (int k = 0; k < 2; ++k) text += "<connect" + bodies + " anchor=\"0 0 0\"/>\n";
      continue;
    }
    const RigidTransform X_12 = poseOf(first).inverse() * poseOf(second);
    const Eigen::Quaterniond q(X_12.R);
    text += "<weld" + bodies + attribute("relpose", {X_12.p.x(), X_12.p.y(), X_12.p.z(), q.w(), q.x(), q.y(), q.z()}) +
            "/>\n";
  }
  return text;
}

/// The compiler makes inertias that no body of positive densities can have, be it by rounding, those of spheres; the
/// engine does not mind them, so they are what the file says, as with any other engine.
void SceneModel::restoreInertias() {
  if (unbalanced_.empty()) return;
  mjModel& m = *model_;
  for (const auto& [body, moments] : unbalanced_)
    std::copy_n(moments.data(), 3,
                m.body_inertia + 3 * mj_name2id(&m, mjOBJ_BODY, ("b" + std::to_string(body)).c_str()));
  const DataPtr scratch(mj_makeData(&m));
  mj_setConst(&m, scratch.get());
}

/// MuJoCo's compiler takes the anchors of the second body from the model's first configuration, which need not be the
/// scene's.
void SceneModel::placeConnections(const SceneDescription& description) {
  int equality = 0;
  for (const int c : tree_.loops) {
    const SceneConstraint& from = description.constraints[c];
    if (from.type != SceneConstraint::Type::hinge) {
      ++equality;
      continue;
    }
    for (const double side : {-0.5, 0.5}) {
      const Vector3d point = from.point + side * kHingeWidth * from.axis.normalized();
      mjtNum* data = model_->eq_data + mjNEQDATA * equality++;
      for (const int i : {from.a >= 0 ? from.a : from.b, from.a >= 0 ? from.b : from.a}) {
        const RigidTransform X_WB =
            i < 0 ? RigidTransform()
                  : RigidTransform(orthonormalized(description.bodies[i].X_WB.R), description.bodies[i].X_WB.p) *
                        bodies_[i].X_BM;
        const Vector3d anchor = X_WB.inverse() * point;
        std::copy_n(anchor.data(), 3, data);
        data += 3;
      }
    }
  }
}

void SceneModel::findPlaces(const SceneDescription& description, const ShapeWriter& shapes) {
  const mjModel& m = *model_;
  const auto find = [&](mjtObj type, const char* prefix, int i) {
    return mj_name2id(&m, type, (prefix + std::to_string(i)).c_str());
  };
  joints_.resize(description.joints.size());
  constraints_.resize(description.constraints.size());
  geoms_.resize(m.ngeom);
  inertias_.resize(bodies_.size());
  for (int i = 0; i < static_cast<int>(bodies_.size()); ++i) {
    BodyPlace& place = bodies_[i];
    place.body = find(mjOBJ_BODY, "b", i);
    place.anchor = find(mjOBJ_GEOM, "a", i);
    geoms_[place.anchor] = {i, -1};
    const int joint = find(mjOBJ_JOINT, "j", i);
    if (joint < 0) continue;
    place.qpos = m.jnt_qposadr[joint];
    place.dof = m.jnt_dofadr[joint];
    const Attachment& at = tree_.bodies[i];
    const JointPlace there{joint, place.qpos, place.dof, m.dof_M0[place.dof]};
    if (at.kind == Attachment::Kind::free) {
      std::copy_n(m.dof_M0 + place.dof, 6, inertias_[i].dofs);
      std::copy_n(m.dof_invweight0 + place.dof, 6, inertias_[i].inverseDofs);
      std::copy_n(m.body_invweight0 + 2 * place.body, 2, inertias_[i].inverseBody);
    }
    if (at.joint >= 0) joints_[at.joint] = there;
    if (at.constraint >= 0) {
      constraints_[at.constraint] = there;
      model_->dof_frictionloss[place.dof] = at.friction;
    }
  }
  for (int g = 0; g < static_cast<int>(shapes.owners().size()); ++g)
    geoms_[find(mjOBJ_GEOM, "g", g)] = shapes.owners()[g];
  for (int h = 0; h < static_cast<int>(shapes.heights().size()); ++h)
    std::copy(shapes.heights()[h].begin(), shapes.heights()[h].end(),
              model_->hfield_data + m.hfield_adr[find(mjOBJ_HFIELD, "h", h)]);
  shapeCounts_ = shapes.counts();
  for (const ShapeWriter::Plane& plane : shapes.planes())
    planes_.push_back({find(mjOBJ_GEOM, "g", plane.geom), plane.body, plane.X_BS});
}

void SceneModel::setOptions(const SceneDescription& description, const MujocoSettings& settings) {
  mjOption& options = model_->opt;
  using S = MujocoSettings;
  std::copy_n(description.gravity.data(), 3, options.gravity);
  options.solver = settings.solver == S::Solver::newton ? mjSOL_NEWTON
                   : settings.solver == S::Solver::cg   ? mjSOL_CG
                                                        : mjSOL_PGS;
  options.cone = settings.cone == S::Cone::elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  options.integrator = settings.integrator == S::Integrator::implicit       ? mjINT_IMPLICIT
                       : settings.integrator == S::Integrator::implicitFast ? kImplicitFast
                       : settings.integrator == S::Integrator::rk4          ? mjINT_RK4
                                                                            : mjINT_EULER;
  options.jacobian = settings.jacobian == S::Jacobian::dense    ? mjJAC_DENSE
                     : settings.jacobian == S::Jacobian::sparse ? mjJAC_SPARSE
                                                                : mjJAC_AUTO;
  options.iterations = settings.iterations;
  options.tolerance = settings.tolerance;
  options.impratio = settings.impratio;
  options.noslip_iterations = settings.noslipIterations;
  options.noslip_tolerance = settings.noslipTolerance;
  // The scene's filter says all about which shapes may touch.
  options.disableflags |= mjDSBL_FILTERPARENT;
  setMulticcd(options, settings.multiccd);
  unmovable_ = kUnmovable * std::max(1.0, mj_getTotalmass(model_.get()));
}

void SceneModel::setUnmovable(int i, bool on) {
  const BodyPlace& place = bodies_[i];
  const Inertias& own = inertias_[i];
  mjModel& m = *model_;
  // Armature is inertia that gravity does not pull at.
  for (int k = 0; k < 6; ++k) {
    m.dof_armature[place.dof + k] = on ? unmovable_ : 0;
    m.dof_M0[place.dof + k] = on ? unmovable_ : own.dofs[k];
    m.dof_invweight0[place.dof + k] = on ? 1 / unmovable_ : own.inverseDofs[k];
  }
  for (int k = 0; k < 2; ++k) m.body_invweight0[2 * place.body + k] = on ? 1 / unmovable_ : own.inverseBody[k];
}

void SceneModel::setArmature(int joint, double armature) {
  const JointPlace& place = joints_[joint];
  model_->dof_armature[place.dof] = armature;
  model_->dof_M0[place.dof] = place.inertia0 + armature;  // MuJoCo takes it from here where it never changes.
}

void SceneModel::setParameters(const ConstraintParameters& parameters, double dt) {
  mjModel& m = *model_;
  m.opt.timestep = dt;
  setSolverParameters(parameters.limit, m.jnt_solref, m.jnt_solimp, m.njnt);
  setSolverParameters(parameters.friction, m.dof_solref, m.dof_solimp, m.nv);
  setSolverParameters(parameters.equality, m.eq_solref, m.eq_solimp, m.neq);
}

}  // namespace mortise::mujoco
