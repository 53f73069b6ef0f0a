// A recorder: the height of every rigid object, a line a tick, as text.

#include <fstream>

#include "mortise/base/output_path.h"
#include "mortise/plugin/plugin.h"

namespace acme {

class HeightRecorder final : public mortise::Recorder {
 public:
  explicit HeightRecorder(const mortise::ComponentContext& context) : file_(context.settings.at("file")) {}

  void open(const mortise::RecorderSetup& setup) override {
    // Below the folder of the run; the prefix keeps simulations of one run apart.
    path_ = mortise::outputPath(setup.directory, setup.prefix + file_.asString(), file_.position());
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
  mortise::Value file_;
  std::string path_;
  std::ofstream out_;
};

}  // namespace acme

MORTISE_PLUGIN("acme_recorder", "1.0.0") {
  plugin.recorder<acme::HeightRecorder>("acme.HeightRecorder")
      .summary("Writes the height of every rigid object, a line a tick.")
      .parameter("file", "heights.txt", "Name of the file, below the folder of the run.")
      .attribute("outputs", std::vector<std::string>{"file"});
}
