#pragma once

/// The folder of a run while it runs: nobody else writes into it, the results of an earlier run are gone, and
/// result.json says at any time what there is.

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "mortise/base/log.h"
#include "mortise/pipeline/file/pipeline.h"
#include "mortise/pipeline/record/written_files.h"

namespace mortise {

class RunRecord {
 public:
  /// Takes `directory`, which exists, for this process. Removes the files that an earlier run of the same pipeline
  /// left there, as far as they are what that run wrote (`written_files.h`). Throws `Error` when another run writes
  /// into the folder, when an input of this pipeline would be removed, when a file of the run leads out of the folder
  /// through a symbolic link, or, unless `force`, when the folder holds the results of another pipeline, a result.json
  /// that no run wrote, or files and no result.json.
  RunRecord(std::string directory, const Pipeline& pipeline, bool force, LogSink& log);
  RunRecord(const RunRecord&) = delete;
  RunRecord& operator=(const RunRecord&) = delete;

  const std::string& directory() const { return directory_; }
  /// Seconds since the epoch at which the run began, as text: "2025-01-31T12:00:00Z".
  const std::string& started() const { return started_; }
  static std::string hostName();

  /// Writes result.json: `result`, with the `files` that the run has written so far, and, while its status is
  /// "running", with the process that runs it. On a full disk the file that is there is written over; where that does
  /// not fit either, it says that the run failed, and why. Throws `Error`.
  void write(const Value& result);
  /// Returns what `write` writes.
  Value completed(const Value& result);
  /// To be called often while a stage runs: now and then result.json takes in the files that have come since. May be
  /// called by any thread.
  void notice();
  /// The next call of `notice` checks at once.
  void stageBegins() { nextScan_ = 0; }
  /// Says in result.json that the run was interrupted, then calls `leave`, during which nothing else is written. May be
  /// called by any thread.
  void interrupt(const std::function<void()>& leave);
  /// The last bytes of a disk are kept for result.json and run.lock.yaml; called before these are written at the end.
  void releaseReserve();

 private:
  void lockFolder();
  void replaceEarlierRun(const Pipeline& pipeline, bool force, LogSink& log);
  void refuseFilesOfOthers() const;
  void refuseRemovalOfInputs(const Pipeline& pipeline, const std::vector<std::string>& files) const;
  /// `files`: what the earlier run provably wrote; `listed`: what its record says, folders among it.
  void remove(const std::vector<std::string>& files, const std::vector<std::string>& listed) const;
  void reserve();
  /// Every file, link and folder below the folder but result.json and run.lock.yaml: name, whether it is a folder, and
  /// what it looks like.
  void walk(const std::function<void(const std::string&, bool, const FileStamp&)>& visit) const;
  /// Takes in what is new or has changed. True when there is something new.
  bool rescan();

  /// A file descriptor, closed at the end.
  struct Descriptor {
    int number = -1;
    Descriptor() = default;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    void close();
  };

  std::string directory_, started_;
  Descriptor folder_;            ///< Locked while the run writes into it.
  Descriptor reserve_;           ///< Descriptor of a file without a name.
  WrittenFiles before_;          ///< Files that were there before the run, and are none of its own.
  std::set<std::string> files_;  ///< Written by the run; a folder of its own ends with a slash.
  WrittenFiles written_;         ///< The same without folders, and what is in those.
  Value last_;                   ///< The result as last written.
  std::mutex mutex_;
  std::atomic<std::int64_t> nextScan_ = 0;  ///< Nanoseconds of the steady clock.
};

}  // namespace mortise
