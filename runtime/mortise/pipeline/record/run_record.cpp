#include "mortise/pipeline/record/run_record.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/settings/output_path.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

constexpr const char* kResult = "result.json";
constexpr const char* kLock = "run.lock.yaml";
constexpr off_t kReserve = 256 * 1024;
/// The position of what stands in the record of an earlier run.
const SourcePosition kRecorded{kResult, 0, 0, {}, Origin::log};

/// The date in UTC, or that of SOURCE_DATE_EPOCH (seconds since 1970), which makes records of equal runs equal.
std::string utcNow() {
  std::time_t now = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
    std::int64_t seconds = 0;
    const char* end = fixed + std::strlen(fixed);
    if (const auto [last, code] = std::from_chars(fixed, end, seconds); code == std::errc() && last == end)
      now = static_cast<std::time_t>(seconds);
  }
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::int64_t steadyNow() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

/// The result.json of a folder; null where there is none that can be read.
Value readResult(const std::string& path) {
  try {
    Value result = loadYaml(path);
    return result.isMap() ? result : Value();
  } catch (const Error&) {
    return {};
  }
}

bool isResultOfARun(const Value& result) {
  return result.isMap() && result.contains("status") && result.contains("pipeline") && result.contains("stages");
}

/// A folder, and those in it, as far as there is nothing but folders in them; links stay.
bool removeEmptyFolders(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(fs::symlink_status(folder, code))) return false;
  std::vector<fs::path> inside;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) inside.push_back(*at);
  bool empty = !code;
  for (const fs::path& path : inside) empty = removeEmptyFolders(path) && empty;
  return empty && fs::remove(folder, code);
}

void collectTexts(const Value& value, std::vector<std::string>& texts) {
  if (value.isString()) texts.push_back(value.asString());
  for (const Value& item : value.items()) collectTexts(item, texts);
  for (const Value::Entry& entry : value.entries()) collectTexts(entry.value, texts);
}

/// Writes over what a file holds, without taking more of the disk first. False where it does not fit; the file then
/// holds what it held, or the start of the new text.
bool rewrite(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  // Space for all of it, before anything is overwritten.
  bool good = ::posix_fallocate(file, 0, static_cast<off_t>(text.size())) == 0;
  for (std::size_t done = 0; good && done < text.size();) {
    const ssize_t count = ::pwrite(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    good = count > 0;
    if (good) done += static_cast<std::size_t>(count);
  }
  if (good) good = ::ftruncate(file, static_cast<off_t>(text.size())) == 0;
  return ::close(file) == 0 && good;
}

}  // namespace

std::string RunRecord::hostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? std::string(name) : std::string();
}

RunRecord::RunRecord(std::string directory, const Pipeline& pipeline, bool force, LogSink& log)
    : directory_(std::move(directory)), started_(utcNow()) {
  lockFolder();
  for (const char* name : {kResult, kLock}) (void)outputPath(directory_, name);
  replaceEarlierRun(pipeline, force, log);
  for (const char* name : {kResult, kLock}) files_.insert(name);
  walk([&](const std::string& name, bool, const FileStamp& seen) { before_.emplace(name, seen); });
  reserve();
}

void RunRecord::Descriptor::close() {
  if (number >= 0) ::close(number);
  number = -1;
}

void RunRecord::lockFolder() {
  folder_.number = ::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Where a file system knows no locks, the run goes on without.
  if (folder_.number < 0 || ::flock(folder_.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  const Value running = readResult((fs::path(directory_) / kResult).string());
  std::string who;
  if (const Value* process = running.find("pid"); process != nullptr && process->isInteger())
    who = ": process " + process->text() + ", since " + running.string("started", "");
  throw Error("another run is writing into this folder" + who, inFile(directory_),
              "wait until it has ended, or choose another folder with --output DIR");
}

void RunRecord::replaceEarlierRun(const Pipeline& pipeline, bool force, LogSink& log) {
  const std::string path = (fs::path(directory_) / kResult).string();
  std::error_code code;
  if (!fs::exists(path, code)) {
    if (!force) refuseFilesOfOthers();
    return;
  }
  const Value earlier = readResult(path);
  if (!isResultOfARun(earlier)) {
    if (force) return;
    throw Error("this folder holds a result.json that no run of a pipeline wrote", inFile(directory_),
                "choose another folder with --output DIR; --force writes over it");
  }
  if (const std::string name = earlier.string("name", ""); name != pipeline.name && !force)
    throw Error("this folder holds the results of another pipeline, '" + name + "'", inFile(directory_),
                "choose another folder with --output DIR; --force replaces them");
  const std::vector<std::string> files = unchangedFiles(directory_, earlier), listed = listedFiles(earlier);
  refuseRemovalOfInputs(pipeline, files);
  if (!listed.empty())
    log.write(LogLevel::info, "mortise", "'" + directory_ + "': the results of an earlier run are replaced");
  for (const std::string& name : listed) {
    const bool own = name == kResult || name == kLock || name.ends_with('/');
    if (own || std::find(files.begin(), files.end(), name) != files.end()) continue;
    if (fs::exists(fs::symlink_status(fs::path(directory_) / name, code)))
      log.write(LogLevel::warning, "mortise",
                "'" + (fs::path(directory_) / name).string() +
                    "' stays: it is not, or no longer, the file that the earlier run wrote");
  }
  remove(files, listed);
}

void RunRecord::refuseFilesOfOthers() const {
  std::error_code code;
  fs::recursive_directory_iterator at(directory_, fs::directory_options::skip_permission_denied, code), end;
  for (; !code && at != end; at.increment(code)) {
    const std::string name = at->path().lexically_relative(directory_).string();
    std::error_code unknown;
    const bool folder = !at->is_symlink(unknown) && at->is_directory(unknown);
    if (folder || name.starts_with('.') || name == kLock) continue;
    throw Error("no run of a pipeline made this folder, and it holds files: '" + name + "'", inFile(directory_),
                "choose another folder with --output DIR; --force writes into this one, over files of the same names");
  }
}

void RunRecord::refuseRemovalOfInputs(const Pipeline& pipeline, const std::vector<std::string>& files) const {
  std::error_code code;
  const auto real = [&](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path, code), code); };
  std::map<fs::path, std::string> doomed;
  for (const std::string& name : files)
    if (name != kResult && name != kLock) doomed.emplace(real(fs::path(directory_) / name), name);
  std::vector<std::string> texts;
  for (const Value::Entry& entry : pipeline.resolved.entries())
    if (entry.key == "world" || entry.key == "components" || entry.key == "stages") collectTexts(entry.value, texts);
  for (const std::string& text : texts) {
    if (text.find_first_of("./") == std::string::npos) continue;
    for (const fs::path& candidate : {fs::path(pipeline.file.base).parent_path() / text, fs::path(text)}) {
      const auto found = doomed.find(real(candidate));
      if (found == doomed.end()) continue;
      throw Error("this pipeline reads '" + candidate.lexically_normal().string() +
                      "', which an earlier run left here and which would be removed",
                  inFile(directory_), "choose another folder with --output DIR");
    }
  }
}

void RunRecord::remove(const std::vector<std::string>& files, const std::vector<std::string>& listed) const {
  const auto failed = [](const std::error_code& code, const fs::path& path) {
    if (code)
      throw Error("cannot remove what an earlier run left: " + code.message(), inFile(path.string()),
                  "choose another folder with --output DIR");
  };
  std::error_code code;
  for (const std::string& name : files) {
    if (name == kResult || name == kLock) continue;  // Replaced by their successors, at once.
    const fs::path path = fs::path(directory_) / name;
    fs::remove(path, code);
    failed(code, path);
  }
  // Folders that the run made go when nothing is left in them.
  for (const std::string& name : listed) {
    if (!name.ends_with('/')) continue;
    try {
      removeEmptyFolders(fs::path(outputPath(directory_, name.substr(0, name.find_last_not_of('/') + 1), kRecorded)));
    } catch (const Error&) {
      // Not below the folder of the run.
    }
  }
}

void RunRecord::reserve() {
#ifdef O_TMPFILE
  reserve_.number = ::open(directory_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (reserve_.number < 0) return;
  // At most a quarter of what is left.
  std::error_code code;
  const fs::space_info space = fs::space(directory_, code);
  off_t size = kReserve;
  while (!code && size > 0 && static_cast<std::uintmax_t>(size) > space.available / 4) size /= 2;
  if (size == 0 || ::posix_fallocate(reserve_.number, 0, size) != 0) reserve_.close();
#endif
}

void RunRecord::releaseReserve() { reserve_.close(); }

void RunRecord::walk(const std::function<void(const std::string&, bool, const FileStamp&)>& visit) const {
  std::error_code code;
  fs::recursive_directory_iterator at(directory_, fs::directory_options::skip_permission_denied, code), end;
  for (; !code && at != end; at.increment(code)) {
    const std::string name = at->path().lexically_relative(directory_).string();
    struct stat status {};
    if (name == kResult || name == kLock || ::lstat(at->path().c_str(), &status) != 0) continue;
    const bool folder = S_ISDIR(status.st_mode);
    // Folders change with what is in them; what counts is whether they were there.
    FileStamp seen;
    if (!folder)
      seen = {status.st_ino, status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec,
              status.st_size};
    if (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode) || folder) visit(name, folder, seen);
  }
}

bool RunRecord::rescan() {
  const std::size_t count = files_.size() + written_.size();
  walk([&](const std::string& name, bool folder, const FileStamp& seen) {
    const auto known = before_.find(name);
    if (known != before_.end() && known->second == seen) return;
    // What is in a folder of the run's own is not listed again.
    bool listed = false;
    for (std::size_t slash = name.find('/'); slash != std::string::npos && !listed; slash = name.find('/', slash + 1))
      listed = files_.contains(name.substr(0, slash + 1));
    if (!listed) files_.insert(folder ? name + "/" : name);
    if (!folder) written_[name] = seen;
  });
  return files_.size() + written_.size() != count;
}

Value RunRecord::completed(const Value& result) {
  Value value = result;
  if (value.string("status", "") == "running") {
    value.set("pid", static_cast<std::int64_t>(::getpid()));
    value.set("host", hostName());
  }
  value.set("started", started_);
  Value files = Value::list();
  for (const std::string& name : files_) files.push_back(name);
  value.set("files", std::move(files));
  value.set("written", toValue(written_));
  return value;
}

void RunRecord::write(const Value& result) {
  const std::lock_guard lock(mutex_);
  if (!last_.isNull()) rescan();
  last_ = result;
  const std::string path = outputPath(directory_, kResult);
  try {
    writeFile(path, toJson(completed(result)));
  } catch (const Error& error) {
    // Without space for a second file the one that is there takes the new text, or what of it fits.
    if (rewrite(path, toJson(completed(result)))) return;
    Value minimum = Value::map();
    for (const char* key : {"name", "pipeline", "seed"})
      if (const Value* value = result.find(key)) minimum.set(key, *value);
    minimum.set("status", "failed");
    constexpr std::size_t kMaximum = 1000;
    minimum.set("failure", result.string("failure", error.what()).substr(0, kMaximum));
    minimum.set("stages", Value::list());
    (void)rewrite(path, toJson(completed(minimum)));
    throw;
  }
}

void RunRecord::interrupt(const std::function<void()>& leave) {
  const std::lock_guard lock(mutex_);
  releaseReserve();
  if (!last_.isNull()) {
    try {
      rescan();
      last_.set("status", "interrupted");
      writeFile(outputPath(directory_, kResult), toJson(completed(last_)));
    } catch (const Error&) {
      // The process ends all the same.
    }
  }
  leave();
}

void RunRecord::notice() {
  const std::int64_t now = steadyNow();
  if (now < nextScan_.load(std::memory_order_relaxed)) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || last_.isNull()) return;
  if (rescan()) {
    try {
      writeFile(outputPath(directory_, kResult), toJson(completed(last_)));
    } catch (const Error&) {
      // A disk that is full is reported by the writer that fills it; the result is written again at the end.
    }
  }
  // However large the folder is, looking takes a small fraction of the time.
  const std::int64_t done = steadyNow();
  nextScan_ = done + std::max<std::int64_t>(1'000'000'000, 50 * (done - now));
}

}  // namespace mortise
