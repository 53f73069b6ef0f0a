// A recorder: the height of every rigid object, a line a tick, as text.

#include <fstream>

#include "mortise/plugin/plugin.h"
#include "mortise/settings/output_path.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace acme {

struct HeightRecorderSettings {
  mortise::PlacedText file = {"heights.txt"};

  void bind(mortise::SettingBinder& b) { b.add("file", file, "Name of the file, below the folder of the run."); }
};

class HeightRecorder final : public mortise::Recorder {
 public:
  explicit HeightRecorder(const mortise::ComponentContext& context) : settings_(context.settings) {}

  void open(const mortise::RecorderSetup& setup) override {
    // Below the folder of the run; the prefix keeps simulations of one run apart.
    path_ = mortise::outputPath(setup.directory, setup.prefix + settings_->file.text, settings_->file.where);
    out_.open(path_);
    out_ << "time";
    for (const mortise::RigidObject& object : setup.world.objects) out_ << " " << object.name;
    out_ << "\n";
  }

  void write(const mortise::SimulationView& view) override {
    out_ << view.time;
    for (const mortise::BodyState& object : view.objects) out_ << " " << object.X_WB.p.z();
    out_ << "\n";
  }

  // Also called when the run is interrupted or fails.
  void close() override {
    out_.close();
    if (!out_) throw mortise::Error("'" + path_ + "' could not be written");
  }

 private:
  mortise::Settings<HeightRecorderSettings> settings_;
  std::string path_;
  std::ofstream out_;
};

}  // namespace acme

MORTISE_PLUGIN("acme_recorder", "1.0.0") {
  plugin.recorder<acme::HeightRecorder>("acme.HeightRecorder")
      .summary("Writes the height of every rigid object, a line a tick.")
      .settings<acme::HeightRecorderSettings>()
      .attribute("outputs", std::vector<std::string>{"file"});
}
