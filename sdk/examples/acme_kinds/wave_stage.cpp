// A stage: makes a motion in which one link of a robot swings to and fro, for later stages to follow.

#include <cmath>

#include "mortise/configuration/link_setting.h"
#include "mortise/plugin/plugin.h"

namespace acme {

class WaveStage final : public mortise::Stage {
 public:
  explicit WaveStage(const mortise::ComponentContext& context)
      : link_(context.settings.at("link")),
        amplitude_(context.settings.at("amplitude").asReal()),
        period_(context.settings.at("period").asReal()),
        duration_(context.settings.at("duration").asReal()),
        save_(context.settings.at("save").asString()) {}

  // What can be found wrong without running goes to `diagnostics`; `mortise config check` calls this, too.
  void check(mortise::StageContext& context, mortise::Diagnostics& diagnostics) override {
    if (context.world().robots.empty())
      diagnostics.error("acme.Wave needs a robot, and the world has none", link_.position());
    else
      (void)mortise::linkFromSetting(*context.world().robots.front().robot, link_);
  }

  void run(mortise::StageContext& context) override {
    const mortise::WorldRobot& robot = context.world().robots.front();
    const int link = mortise::linkFromSetting(*robot.robot, link_);
    mortise::Trajectory motion;
    const int steps = static_cast<int>(std::ceil(duration_ / 0.02));
    for (int i = 0; i <= steps; ++i) {
      const double t = std::min(0.02 * i, duration_);
      mortise::VectorXd q = robot.q;
      q[link] += amplitude_ * std::sin(2 * M_PI * t / period_);
      motion.times.push_back(t);
      motion.configurations.push_back(std::move(q));
    }
    mortise::Value result = mortise::Value::map();
    result.set("milestones", static_cast<std::int64_t>(motion.times.size()));
    result.set("duration", motion.endTime());
    context.saveTrajectory(save_, std::move(motion));
    context.saveResult(save_, std::move(result));
  }

 private:
  mortise::Value link_;
  double amplitude_, period_, duration_;
  std::string save_;
};

}  // namespace acme

MORTISE_PLUGIN("acme_stage", "1.0.0") {
  plugin.stage<acme::WaveStage>("acme.Wave")
      .summary("Makes a motion in which one link of the first robot swings to and fro.")
      .parameter("link", mortise::ParameterType::any, "Name or index of the link.", {.required = true})
      .parameter("amplitude", 0.2, "How far it swings.", {.unit = "rad"})
      .parameter("period", 1.0, "Of one swing.", {.min = 0.01, .unit = "s"})
      .parameter("duration", 1.0, "Of the motion.", {.min = 0.02, .max = 1e4, .unit = "s"})
      .parameter("save", "wave", "Name of the motion, for later stages.");
}
