// A stage: makes a motion in which one link of a robot swings to and fro, for later stages to follow.

#include <cmath>

#include "mortise/configuration/link_setting.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace acme {

struct WaveSettings {
  mortise::Value link;
  double amplitude = 0.2;           // rad
  double period = 1, duration = 1;  // s
  std::string save = "wave";

  void bind(mortise::SettingBinder& b) {
    b.add("link", link, "Name or index of the link.", {.required = true});
    b.add("amplitude", amplitude, "How far it swings.", {.unit = "rad"});
    b.add("period", period, "Of one swing.", {.min = 0.01, .unit = "s"});
    b.add("duration", duration, "Of the motion.", {.min = 0.02, .max = 1e4, .unit = "s"});
    b.add("save", save, "Name of the motion, for later stages.");
  }
};

class WaveStage final : public mortise::Stage {
 public:
  explicit WaveStage(const mortise::ComponentContext& context) : settings_(context.settings) {}

  // What can be found wrong without running goes to `diagnostics`; `mortise config check` calls this, too.
  void check(mortise::StageContext& context, mortise::Diagnostics& diagnostics) override {
    if (context.world().robots.empty())
      diagnostics.error("acme.Wave needs a robot, and the world has none", settings_->link.position());
    else
      (void)mortise::linkFromSetting(*context.world().robots.front().robot, settings_->link);
  }

  void run(mortise::StageContext& context) override {
    const mortise::WorldRobot& robot = context.world().robots.front();
    const int link = mortise::linkFromSetting(*robot.robot, settings_->link);
    mortise::Trajectory motion;
    const int steps = static_cast<int>(std::ceil(settings_->duration / 0.02));
    for (int i = 0; i <= steps; ++i) {
      const double t = std::min(0.02 * i, settings_->duration);
      mortise::VectorXd q = robot.q;
      q[link] += settings_->amplitude * std::sin(2 * M_PI * t / settings_->period);
      motion.times.push_back(t);
      motion.configurations.push_back(std::move(q));
    }
    mortise::Value result = mortise::Value::map();
    result.set("milestones", static_cast<std::int64_t>(motion.times.size()));
    result.set("duration", motion.endTime());
    context.saveTrajectory(settings_->save, std::move(motion));
    context.saveResult(settings_->save, std::move(result));
  }

 private:
  mortise::Settings<WaveSettings> settings_;
};

}  // namespace acme

MORTISE_PLUGIN("acme_stage", "1.0.0") {
  plugin.stage<acme::WaveStage>("acme.Wave")
      .summary("Makes a motion in which one link of the first robot swings to and fro.")
      .settings<acme::WaveSettings>()
      .saves({mortise::ResultKind::motion, mortise::ResultKind::report});
}
