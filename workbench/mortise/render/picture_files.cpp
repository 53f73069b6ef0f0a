#include "mortise/render/picture_files.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/images/png_image.h"

extern char** environ;

namespace mortise::render {

namespace {

namespace fs = std::filesystem;

/// The program's full path; empty when no folder of PATH has it.
std::string findProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::string systemText() { return std::generic_category().message(errno); }

std::string pictureName(const std::string& folder, int number) {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "/%06d.png", number);
  return folder + name.data();
}

/// The encoding of a movie, by the ending of its name.
std::vector<std::string> encoderWords(const std::string& path) {
  if (fs::path(path).extension() == ".webm")
    return {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "0", "-deadline", "good", "-cpu-used", "4"};
  return {"-c:v", "libx264", "-crf", "18"};
}

class PictureFolder final : public PictureSink {
 public:
  explicit PictureFolder(std::string folder) : folder_(std::move(folder)) {
    std::error_code code;
    fs::create_directories(folder_, code);
    if (!fs::is_directory(folder_))
      throw Error("the folder cannot be made: " + (code ? code.message() : "something else has this name"),
                  inFile(folder_), "choose another name");
  }
  void add(const Picture& picture) override { writePng(picture, pictureName(folder_, count_++)); }
  void close() override {}

 private:
  std::string folder_;
  int count_ = 0;
};

/// Raw pictures through a pipe into ffmpeg, whose messages go to a temporary file.
class MovieFile final : public PictureSink {
 public:
  MovieFile(std::string path, int width, int height, double rate) : path_(std::move(path)) {
    const std::string program = findProgram("ffmpeg");
    if (program.empty())
      throw Error("there is no program ffmpeg, which makes movies", inFile(path_),
                  "install it (Debian: apt install ffmpeg), or name a folder for single pictures");
    std::vector<std::string> words = {program,     "-y",
                                      "-loglevel", "error",
                                      "-f",        "rawvideo",
                                      "-pix_fmt",  "rgb24",
                                      "-s",        std::to_string(width) + "x" + std::to_string(height),
                                      "-r",        formatReal(rate),
                                      "-i",        "-"};
    for (const std::string& word : encoderWords(path_)) words.push_back(word);
    for (const char* word : {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-threads", "1", "-fflags",
                             "+bitexact", "-flags:v", "+bitexact"})
      words.emplace_back(word);
    words.push_back(path_);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    errors_.reset(std::tmpfile());
    int ends[2];
    if (!errors_ || ::pipe2(ends, O_CLOEXEC) != 0) throw Error("no pipe to ffmpeg: " + systemText(), inFile(path_));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors_.get()), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors_.get()), 2);
    const int failed = ::posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    pipe_ = ends[1];
    if (failed != 0) {
      process_ = -1;
      throw Error("ffmpeg cannot be started: " + std::generic_category().message(failed), inFile(path_));
    }
  }
  ~MovieFile() override { finish(); }

  void add(const Picture& picture) override {
    bytes_.clear();
    for (const std::uint32_t pixel : picture.pixels)
      for (const int shift : {16, 8, 0}) bytes_ += static_cast<char>(pixel >> shift & 0xff);
    // A pipe whose reader has gone is an error here, not the end of the program.
    struct sigaction ignore = {}, before = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before);
    std::size_t written = 0;
    while (written < bytes_.size()) {
      const ssize_t some = ::write(pipe_, bytes_.data() + written, bytes_.size() - written);
      if (some < 0 && errno == EINTR) continue;
      if (some <= 0) break;
      written += static_cast<std::size_t>(some);
    }
    ::sigaction(SIGPIPE, &before, nullptr);
    if (written == bytes_.size()) return;
    close();
    throw Error("ffmpeg stopped taking pictures", inFile(path_));
  }

  void close() override {
    const int status = finish();
    if (status == 0) return;
    std::string text;
    std::rewind(errors_.get());
    for (int c = std::fgetc(errors_.get()); c != EOF && text.size() < 500; c = std::fgetc(errors_.get()))
      text += static_cast<char>(c);
    throw Error("ffmpeg failed: " + (text.empty() ? "code " + std::to_string(status) : text), inFile(path_),
                "name a file that ends in .mp4, .webm, .mkv or .mov in a folder that can be written");
  }

 private:
  struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  /// Waits for ffmpeg; its exit code.
  int finish() {
    if (pipe_ >= 0) ::close(pipe_);
    pipe_ = -1;
    if (process_ < 0) return 0;
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }

  std::string path_, bytes_;
  std::unique_ptr<std::FILE, FileCloser> errors_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace

void writePng(const Picture& picture, const std::string& path) {
  const std::string png = picture.opacity.empty()
                              ? colorPng(picture.width, picture.height, picture.pixels)
                              : colorPng(picture.width, picture.height, picture.pixels, picture.opacity);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool written = file != nullptr && std::fwrite(png.data(), 1, png.size(), file) == png.size();
  const std::string reason = systemText();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed) {
    std::error_code code;  // Half a picture is none.
    if (file != nullptr && fs::is_regular_file(path, code)) fs::remove(path, code);
    throw Error("cannot be written: " + reason, inFile(path), "choose a folder that can be written and has room");
  }
}

std::unique_ptr<PictureSink> pictureFolder(const std::string& folder) {
  return std::make_unique<PictureFolder>(folder);
}

std::string pictureBehind(const std::string& folder, int count) {
  std::error_code code;
  const std::string name = pictureName(folder, count);
  return fs::exists(name, code) ? name : std::string();
}

std::unique_ptr<PictureSink> movieFile(const std::string& path, int width, int height, double rate) {
  return std::make_unique<MovieFile>(path, width, height, rate);
}

}  // namespace mortise::render
