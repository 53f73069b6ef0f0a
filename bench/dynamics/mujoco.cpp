/// MuJoCo on a model made from our robot, through the functions that each result needs and no others.

#include <cstdio>
#include <cstring>
#include <mujoco/mujoco.h>
#include <sstream>

#include "dynamics/contestant.h"
#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise::bench {
namespace {

std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}
std::string text(const Vector3d& v) { return text(v.x()) + " " + text(v.y()) + " " + text(v.z()); }

/// MuJoCo's bodies have mass. Links without it pass their joints on to their only child, which must not be set apart
/// from them.
class Writer {
 public:
  explicit Writer(const Robot& robot) : robot_(robot) {
    out_ << "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n"
            "<option gravity=\"0 0 -9.8\"><flag constraint=\"disable\" contact=\"disable\" limit=\"disable\" "
            "passive=\"disable\"/></option>\n<worldbody>\n";
    for (int i = 0; i < robot.numLinks(); ++i)
      if (robot.link(i).parent < 0) body(i);
    out_ << "</worldbody></mujoco>\n";
  }

  std::string text() const { return out_.str(); }

 private:
  void body(int first) {
    // x-axis and y-axis of the frame: exact to rounding, where quaternions of the file would not be.
    const RigidTransform& X = robot_.link(first).X_PL0;
    out_ << "<body name=\"b" << first << "\" pos=\"" << bench::text(X.p) << "\" xyaxes=\""
         << bench::text(Vector3d(X.R.col(0))) << " " << bench::text(Vector3d(X.R.col(1))) << "\">\n";
    std::ostringstream joints;
    int last = first;
    for (;; last = robot_.children(last)[0]) {
      const Link& link = robot_.link(last);
      joints << "<joint name=\"j" << last << "\" type=\"" << (link.motion == LinkMotion::revolute ? "hinge" : "slide")
             << "\" axis=\"" << bench::text(link.axis) << "\"/>\n";
      if (link.inertia.mass > 0) break;
      const std::vector<int>& children = robot_.children(last);
      if (children.size() != 1 || !(robot_.link(children[0]).X_PL0 == RigidTransform()))
        throw Error("link " + link.name + " has no mass: MuJoCo has no such bodies");
    }
    const BodyInertia& inertia = robot_.link(last).inertia;
    const Matrix3d& I = inertia.inertia;
    out_ << "<inertial pos=\"" << bench::text(inertia.com) << "\" mass=\"" << bench::text(inertia.mass)
         << "\" fullinertia=\"" << bench::text(Vector3d(I.diagonal())) << " "
         << bench::text(Vector3d(I(0, 1), I(0, 2), I(1, 2))) << "\"/>\n"
         << joints.str();
    for (const int child : robot_.children(last)) body(child);
    out_ << "</body>\n";
  }

  const Robot& robot_;
  std::ostringstream out_;
};

struct DeleteModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DeleteData {
  void operator()(mjData* d) const { mj_deleteData(d); }
};

std::unique_ptr<mjModel, DeleteModel> compile(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(xml.size())) != 0)
    throw Error("MuJoCo takes no file in memory");
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "robot.xml")], xml.data(), xml.size());
  char message[1000] = "";
  std::unique_ptr<mjModel, DeleteModel> model(mj_loadXML("robot.xml", files.get(), message, sizeof message));
  mj_deleteVFS(files.get());
  if (!model) throw Error(std::string("MuJoCo: ") + message);
  return model;
}

class Mujoco final : public Contestant {
 public:
  explicit Mujoco(const Problem& problem)
      : problem_(problem),
        n_(problem.robot->numLinks()),
        model_(compile(Writer(*problem.robot).text())),
        data_(mj_makeData(model_.get())),
        dof_(n_),
        body_(n_),
        jacobians_(problem.tips.size()),
        tau_(n_),
        full_(n_ * n_) {
    for (int i = 0; i < n_; ++i) {
      const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, ("j" + std::to_string(i)).c_str());
      dof_[i] = model_->jnt_dofadr[joint];
      body_[i] = model_->jnt_bodyid[joint];
    }
    for (auto& J : jacobians_) J.resize(6 * n_);
    for (const Sample& s : problem.samples)
      samples_.push_back({shuffled(s.q), shuffled(s.dq), shuffled(s.ddq), shuffled(s.tau)});
  }

  void run(Task task, int sample) override {
    const mjModel* m = model_.get();
    mjData* d = data_.get();
    const Numbers& s = samples_[sample];
    mju_copy(d->qpos, s.q.data(), n_);
    mju_copy(d->qvel, s.dq.data(), n_);
    mj_kinematics(m, d);
    switch (task) {
      case Task::frames:
        break;
      case Task::jacobians:
        mj_comPos(m, d);
        for (std::size_t i = 0; i < jacobians_.size(); ++i) {
          const int body = body_[problem_.tips[i]];
          mj_jac(m, d, jacobians_[i].data() + 3 * n_, jacobians_[i].data(), d->xpos + 3 * body, body);
        }
        break;
      case Task::inverseDynamics:
        mju_copy(d->qacc, s.ddq.data(), n_);
        mj_comPos(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 1, tau_.data());
        break;
      case Task::massMatrix:
        mj_comPos(m, d);
        mj_crb(m, d);
        mj_fullM(m, full_.data(), d->qM);
        break;
      case Task::forwardDynamics:
        mj_comPos(m, d);
        mj_crb(m, d);
        mj_factorM(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
        mju_sub(tau_.data(), s.tau.data(), d->qfrc_bias, n_);
        mj_solveM(m, d, d->qacc, tau_.data(), 1);
        break;
    }
  }

  Results results(int sample) override {
    Results r;
    run(Task::jacobians, sample);
    r.positions.resize(3, n_);
    for (int i = 0; i < n_; ++i) {
      // A body's frame is that of the last of its joints; links before it have none in MuJoCo.
      const int last = model_->body_jntadr[body_[i]] + model_->body_jntnum[body_[i]] - 1;
      if (model_->jnt_dofadr[last] != dof_[i])
        r.positions.col(i).setConstant(std::nan(""));
      else
        r.positions.col(i) = Eigen::Map<const Vector3d>(data_->xpos + 3 * body_[i]);
    }
    for (const std::vector<double>& from : jacobians_) {
      Eigen::MatrixXd J(6, n_);
      for (int row = 0; row < 6; ++row)
        for (int i = 0; i < n_; ++i) J(row, i) = from[static_cast<std::size_t>(row * n_ + dof_[i])];
      r.jacobians.push_back(J);
    }
    r.tau.resize(n_), r.ddq.resize(n_), r.B.resize(n_, n_);
    run(Task::inverseDynamics, sample);
    for (int i = 0; i < n_; ++i) r.tau[i] = tau_[dof_[i]];
    run(Task::massMatrix, sample);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) r.B(i, j) = full_[static_cast<std::size_t>(dof_[i] * n_ + dof_[j])];
    run(Task::forwardDynamics, sample);
    for (int i = 0; i < n_; ++i) r.ddq[i] = data_->qacc[dof_[i]];
    return r;
  }

 private:
  struct Numbers {
    std::vector<double> q, dq, ddq, tau;
  };

  std::vector<double> shuffled(const VectorXd& v) const {
    std::vector<double> to(n_);
    for (int i = 0; i < n_; ++i) to[dof_[i]] = v[i];
    return to;
  }

  const Problem& problem_;
  int n_;
  std::unique_ptr<mjModel, DeleteModel> model_;
  std::unique_ptr<mjData, DeleteData> data_;
  std::vector<int> dof_, body_;
  std::vector<Numbers> samples_;
  std::vector<std::vector<double>> jacobians_;
  std::vector<double> tau_, full_;
};

}  // namespace

std::unique_ptr<Contestant> makeMujoco(const Problem& problem) { return std::make_unique<Mujoco>(problem); }

}  // namespace mortise::bench
