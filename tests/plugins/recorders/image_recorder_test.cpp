// What cameras see, as files: pixels read back by libpng, points by the reader of .pcd files.

#include <cmath>
#include <csignal>
#include <png.h>
#include <sys/resource.h>

#include "mortise/loading/format_loader.h"
#include "tests/plugins/recorders/recorder_bench.h"

namespace mortise {
namespace {

using test::errorText;

/// All samples of a PNG file, row by row; `depth` bits and `channels` must be those of the file.
std::vector<int> readPng(const std::filesystem::path& path, int width, int height, int depth, int channels) {
  std::vector<int> samples;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    ADD_FAILURE() << "there is no " << path;
    return samples;
  }
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  EXPECT_EQ(png_get_image_width(png, info), static_cast<png_uint_32>(width));
  EXPECT_EQ(png_get_image_height(png, info), static_cast<png_uint_32>(height));
  EXPECT_EQ(png_get_bit_depth(png, info), depth);
  EXPECT_EQ(png_get_channels(png, info), channels);
  EXPECT_EQ(png_get_valid(png, info, PNG_INFO_gAMA), 0u) << "numbers are not brightness";
  png_bytepp rows = png_get_rows(png, info);
  for (int row = 0; row < height; ++row)
    for (int i = 0; i < width * channels; ++i)
      samples.push_back(depth == 8 ? rows[row][i] : rows[row][2 * i] << 8 | rows[row][2 * i + 1]);
  png_destroy_read_struct(&png, &info, nullptr);
  std::fclose(file);
  return samples;
}

class ImageRecorderTest : public test::RecorderBench {
 protected:
  PointCloud readCloud(const std::string& name) {
    FormatLoader loader(*registry, log);
    Diagnostics diagnostics;
    const GeometryPtr geometry = loader.load<GeometryPtr>((folder / name).string(), {}, diagnostics);
    diagnostics.throwIfErrors();
    return *geometry->as<PointCloud>();
  }
  /// In the camera's frame.
  Vector3d pointOf(int pixel) const {
    const double z = image[kPixels + pixel];
    return {(pixel % kWidth - camera.cx) / camera.fx * z, (pixel / kWidth - camera.cy) / camera.fy * z, z};
  }
};

TEST_F(ImageRecorderTest, ColorsAreTheirPixels) {
  auto recorder = open("ImageRecorder", {"sensors"});
  expose(0);
  image[0] = 0xff8001;
  image[5] = 0x000000;
  image[11] = 0xffffff;
  recorder->write(view(7));
  EXPECT_EQ(files("t_images"), (std::vector<std::string>{"eye_00000007_color.png", "eye_00000007_depth.png"}));
  const std::vector<int> samples = readPng(folder / "t_images/eye_00000007_color.png", kWidth, kHeight, 8, 3);
  ASSERT_EQ(samples.size(), 3u * kPixels);
  for (int i = 0; i < kPixels; ++i)
    EXPECT_EQ(samples[3 * i] << 16 | samples[3 * i + 1] << 8 | samples[3 * i + 2], static_cast<int>(image[i])) << i;
}

TEST_F(ImageRecorderTest, DepthsAreMillimetresAndZeroIsNothing) {
  auto recorder = open("ImageRecorder", {"eye"}, "{outputs: [depth]}");
  expose(0);
  const double depths[] = {0.25, 0.2499, 1.2344, 1.2346, 100,  std::numeric_limits<double>::infinity(),
                           0,    65.535, 65.6,   -1,     99.9, 2};
  const int expected[] = {250, 0, 1234, 1235, 0, 0, 0, 65535, 65535, 0, 65535, 2000};
  std::copy(std::begin(depths), std::end(depths), image.begin() + kPixels);
  recorder->write(view(1));
  EXPECT_EQ(files("t_images"), (std::vector<std::string>{"eye_00000001_depth.png"}));
  const std::vector<int> samples = readPng(folder / "t_images/eye_00000001_depth.png", kWidth, kHeight, 16, 1);
  EXPECT_EQ(samples, std::vector<int>(std::begin(expected), std::end(expected)));
  EXPECT_TRUE(host.kept.mentions("65.535 m")) << "depths that do not fit are told";

  auto coarse = open("ImageRecorder", {"eye"}, "{outputs: depth, depthUnit: 1 cm, folder: coarse}");
  coarse->write(view(1));
  EXPECT_EQ(readPng(folder / "t_coarse/eye_00000001_depth.png", kWidth, kHeight, 16, 1)[10], 9990);
}

TEST_F(ImageRecorderTest, PointsReadBackInTheCamerasFrame) {
  auto recorder = open("ImageRecorder", {"eye"}, "{outputs: [points]}");
  expose(0);
  recorder->write(view(3));
  const PointCloud cloud = readCloud("t_images/eye_00000003.pcd");
  ASSERT_EQ(cloud.points.size(), static_cast<std::size_t>(kPixels));
  EXPECT_EQ(cloud.columns, kWidth);
  EXPECT_EQ(cloud.rows, kHeight);
  ASSERT_EQ(cloud.properties.size(), 1u);
  EXPECT_EQ(cloud.properties[0].name, "rgb");
  for (int i = 0; i < kPixels; ++i) {
    EXPECT_LT((cloud.points[i] - pointOf(i)).norm(), 3e-7) << i;
    EXPECT_EQ(cloud.properties[0].values[i], image[i]) << i;
  }
}

TEST_F(ImageRecorderTest, PointsInTheWorldAreWhereTheCameraWas) {
  auto recorder = open("ImageRecorder", {"eye"}, "{outputs: [points], frame: world}");
  recorder->write(view(0));  // Before the first measurement.
  const RigidTransform X_WC = state.X_WL[1] * camera.X_LS;
  expose(0);
  image[kPixels + 2] = image[kPixels + 9] = 100;  // Nothing.
  state.q << 0.5, -0.1;
  updateFrames(*world.robots[0].robot, state);
  recorder->write(view(1));
  ASSERT_EQ(files("t_images"), (std::vector<std::string>{"eye_00000001.pcd"}));
  const PointCloud cloud = readCloud("t_images/eye_00000001.pcd");
  ASSERT_EQ(cloud.points.size(), kPixels - 2u) << "points without coordinates are none";
  std::size_t at = 0;
  for (int i = 0; i < kPixels; ++i) {
    if (i == 2 || i == 9) continue;
    EXPECT_LT((cloud.points[at++] - X_WC * pointOf(i)).norm(), 5e-7) << i;
  }
  expose(1);
  const std::string text = errorText([&] { recorder->write(view(11)); });
  EXPECT_NE(text.find("every 10 steps"), std::string::npos) << text;
}

TEST_F(ImageRecorderTest, WritesWhatIsNewOnce) {
  auto recorder = open("ImageRecorder", {"sensors"}, "{outputs: [color]}");
  for (int tick = 0; tick < 5; ++tick) recorder->write(view(tick));
  EXPECT_TRUE(files("t_images").empty()) << "a camera that has not measured has no image";
  for (int tick = 5; tick < 35; ++tick) {
    if (tick % 10 == 5) expose(tick);
    recorder->write(view(tick));
  }
  EXPECT_EQ(files("t_images"),
            (std::vector<std::string>{"eye_00000005_color.png", "eye_00000015_color.png", "eye_00000025_color.png"}));
  auto thinned = open("ImageRecorder", {"sensors"}, "{outputs: [color], every: 2, folder: thin}");
  auto all = open("ImageRecorder", {"sensors"}, "{outputs: [color], unchanged: true, folder: all}");
  for (int tick = 35; tick < 40; ++tick) {
    if (tick != 36) expose(tick);
    thinned->write(view(tick));
    all->write(view(tick));
  }
  EXPECT_EQ(files("t_thin"), (std::vector<std::string>{"eye_00000035_color.png", "eye_00000038_color.png"}));
  EXPECT_EQ(files("t_all").size(), 5u);
}

TEST_F(ImageRecorderTest, FilesAreNamedAfterCamerasAndStayInTheFolder) {
  sensors[1].name = "../up/eye 1";
  sensors.push_back({"../up/eye/1", "CameraSensor", cameraChannels, image, &camera});
  robots[0].sensors = sensors;
  expose(0);
  auto recorder = open("ImageRecorder", {"arm"}, "{outputs: [color]}");
  recorder->write(view(1));
  EXPECT_EQ(files("t_images"),
            (std::vector<std::string>{"_.._up_eye_1-2_00000001_color.png", "_.._up_eye_1_00000001_color.png"}));
}

TEST_F(ImageRecorderTest, SaysWhichImagesCannotBe) {
  const auto recording = [&](std::vector<std::string> what, const std::string& settings = "{}") {
    return errorText([&] { open("ImageRecorder", what, settings)->write(view(0)); });
  };
  EXPECT_NE(recording({"eie"}).find("did you mean 'eye'"), std::string::npos);
  EXPECT_NE(recording({"force"}).find("no camera"), std::string::npos);
  EXPECT_NE(recording({"objects"}).find("available: eye"), std::string::npos);
  camera.depth = false;
  image.resize(kPixels);
  cameraChannels.resize(kPixels);
  setSensors();
  EXPECT_NE(recording({"eye"}, "{outputs: [depth, points]}").find("colors only"), std::string::npos);
  (void)recording({"sensors"}, "{outputs: [depth]}");
  EXPECT_TRUE(host.kept.mentions("camera 'eye' measures colors only, which 'outputs' leaves out: it has no images"));
  sensors.pop_back();
  robots[0].sensors = sensors;
  EXPECT_NE(recording({"sensors"}).find("add a CameraSensor"), std::string::npos);
  EXPECT_THROW(open("ImageRecorder", {"sensors"}, "{outputs: [colr]}"), Error);
  EXPECT_THROW(open("ImageRecorder", {"sensors"}, "{outputs: []}"), Error);
  EXPECT_THROW(open("ImageRecorder", {"sensors"}, "{every: 0}"), Error);
  EXPECT_THROW(open("ImageRecorder", {"sensors"}, "{depthUnit: 0}"), Error);
  std::ofstream(folder / "t_file") << "in the way";
  const std::string text = errorText([&] { open("ImageRecorder", {"sensors"}, "{folder: file}"); });
  EXPECT_NE(text.find("t_file"), std::string::npos) << text;
}

TEST_F(ImageRecorderTest, AFullDiskLosesNothingThatIsWritten) {
  const int width = 64, height = 48;
  camera.width = width;
  camera.height = height;
  image.assign(2 * width * height, 1.5);
  cameraChannels.assign(image.size(), "c");
  setSensors();
  for (std::size_t i = 0; i < image.size() / 2; ++i) image[i] = static_cast<double>(i * 2654435761u % 0xffffff);
  auto recorder = open("ImageRecorder", {"eye"}, "{outputs: [color]}");
  recorder->write(view(1));
  const auto before = readPng(folder / "t_images/eye_00000001_color.png", width, height, 8, 3);
  for (std::size_t i = 0; i < image.size() / 2; ++i) image[i] = static_cast<double>(i * 2246822519u % 0xffffff);
  // What a file system without room does, without filling one.
  struct rlimit old {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { .rlim_cur = 1000, .rlim_max = old.rlim_max };
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string text;
  try {
    recorder->write(view(2));
  } catch (const Error& error) {
    text = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(text.find("eye_00000002_color.png"), std::string::npos) << text;
  EXPECT_EQ(files("t_images"), (std::vector<std::string>{"eye_00000001_color.png"})) << "no half of a file";
  EXPECT_EQ(readPng(folder / "t_images/eye_00000001_color.png", width, height, 8, 3), before);
}

}  // namespace
}  // namespace mortise
