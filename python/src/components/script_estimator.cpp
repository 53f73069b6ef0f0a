#include <memory>

#include "components/script_components.h"
#include "components/script_views.h"

namespace mortise::python {

namespace {

class ScriptEstimator final : public Estimator {
 public:
  ScriptEstimator(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object)
      : script_(declared, settings, host, object) {}
  ~ScriptEstimator() override {
    if (Py_IsInitialized() == 0) {
      parts_.release();
      return;
    }
    const Interpreter lock;
    parts_.reset();
  }

  void start(const EstimatorSetup& setup) override {
    withPython([&] {
      script_.beginAnew();
      const auto links = static_cast<std::size_t>(setup.robot.numLinks());
      parts_ = std::make_unique<Parts>(Parts{{setup.sensors, setup.robot.numLinks(), setup.period},
                                             MirrorCommands(static_cast<std::size_t>(setup.robot.numDrivers()), false),
                                             MirrorArray(links, true),
                                             MirrorArray(links, true)});
      parts_->q.fill(setup.q.data());
      if (script_.has("start"))
        script_.call("start", setupObject(nullptr, -1, &setup.robot, setup.period, &setup.q, Vector3d(0, 0, -9.8),
                                          parts_->input.readings().readings));
      for (const char* method : {"read_sensors", "read_command", "advance"})
        if (script_.has(method)) methods_ |= 1 << (method[0] == 'a' ? 2 : method[5] == 'c' ? 1 : 0);
    });
  }

  void readSensors(const EstimatorInput& input) override {
    withPython([&] {
      parts_->input.fill(input.time, input.tick, input.sensors);
      parts_->input.fillState("truth", input.truth);
      if ((methods_ & 1) != 0) script_.call("read_sensors", parts_->input.object());
    });
  }

  void estimate(VectorXd& q, VectorXd& dq) const override {
    withPython([&] {
      script_.call("estimate", parts_->q.array, parts_->dq.array);
      q = Eigen::Map<const VectorXd>(parts_->q.data, static_cast<Eigen::Index>(parts_->q.size));
      dq = Eigen::Map<const VectorXd>(parts_->dq.data, static_cast<Eigen::Index>(parts_->dq.size));
    });
  }

  void readCommand(std::span<const ActuatorCommand> commands) override {
    if ((methods_ & 2) == 0) return;
    withPython([&] {
      parts_->commands.fill(commands);
      script_.call("read_command", parts_->commands.object());
    });
  }

  void advance(double period) override {
    if ((methods_ & 4) == 0) return;
    withPython([&] { script_.call("advance", py::float_(period)); });
  }

  /// Saves what the arrays hold as part of the state: `estimate` may change some entries only.
  void save(ByteWriter& out) const override {
    script_.save(out);
    out.put(std::span<const double>(parts_->q.data, parts_->q.size));
    out.put(std::span<const double>(parts_->dq.data, parts_->dq.size));
  }
  void restore(ByteReader& in) override {
    script_.restore(in);
    in.get(std::span<double>(parts_->q.data, parts_->q.size));
    in.get(std::span<double>(parts_->dq.data, parts_->dq.size));
  }

 private:
  struct Parts {
    MirrorInput input;
    MirrorCommands commands;
    MirrorArray q, dq;
  };
  ScriptObject script_;
  std::unique_ptr<Parts> parts_;
  int methods_ = 0;
};

}  // namespace

Estimator* newScriptEstimator(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object) {
  return new ScriptEstimator(declared, settings, host, object);
}

}  // namespace mortise::python
