#include "bag_recorders.h"

#include "mortise/settings/record_path.h"
#include "ros/bags/file_transport.h"

namespace mortise::rosbag {

namespace {

constexpr const char* kFileSummary = "Name of the file, below the run directory, with the run's prefix.";

}  // namespace

void BagSettings::bind(SettingBinder& b) {
  using ros::BagCompression;
  b.add("file", file, kFileSummary);
  b.choice("compression", compression,
           {{"none", BagCompression::none}, {"lz4", BagCompression::lz4}, {"bz2", BagCompression::bz2}}, "Of chunks.");
  broadcast.bind(b);
}

BagRecorder::BagRecorder(const ComponentContext& context)
    : BagRecorder(context.host, *Settings<BagSettings>(context.settings)) {}

BagRecorder::BagRecorder(Host& host, const BagSettings& settings)
    : BroadcastRecorder(host, settings.broadcast,
                        [file = settings.file, compression = settings.compression](const RecorderSetup& setup) {
                          return std::make_unique<ros::BagTransport>(recordPath(setup.directory, setup.prefix, file),
                                                                     ros::BagWriterOptions{.compression = compression});
                        }) {}

void Ros2LogSettings::bind(SettingBinder& b) {
  b.add("file", file, kFileSummary);
  b.add("compression", compression, "Of chunks.", {.choices = {"zstd", "none"}});
  broadcast.bind(b);
}

Ros2LogRecorder::Ros2LogRecorder(const ComponentContext& context)
    : Ros2LogRecorder(context.host, *Settings<Ros2LogSettings>(context.settings)) {}

Ros2LogRecorder::Ros2LogRecorder(Host& host, const Ros2LogSettings& settings)
    : BroadcastRecorder(host, settings.broadcast,
                        [file = settings.file, compression = settings.compression](const RecorderSetup& setup) {
                          return std::make_unique<ros::Ros2LogTransport>(
                              recordPath(setup.directory, setup.prefix, file),
                              compression == "none" ? "" : compression);
                        }) {}

}  // namespace mortise::rosbag
