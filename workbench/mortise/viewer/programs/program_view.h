#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "mortise/base/log.h"
#include "mortise/model/world.h"
#include "mortise/plugin/registry.h"
#include "mortise/viewer/changing_session.h"
#include "mortise/viewer/programs/file_session.h"
#include "mortise/viewer/programs/program_session.h"
#include "mortise/viewer/read_only_world.h"
#include "mortise/viewer/snapshot_log.h"
#include "mortise/viewer/view_server.h"

namespace mortise::viewer {

/// Pages that a program shows something in while it goes on: a world that it moves, or files, with drawings and
/// controls of its own. The server runs on a thread of its own, which calls nothing of the program's. Functions are
/// called by one thread at a time, but for `take`, `scene` and `pages`, which any thread may call.
class ProgramView {
 public:
  /// `port` 0: any that is free. Throws `Error` as `ViewServer` and `SnapshotLog`.
  ProgramView(const World& world, const std::string& name, Registry& registry, LogSink& log, std::uint16_t port);
  ProgramView(std::vector<ViewFile> files, std::uint16_t port);
  ~ProgramView();
  ProgramView(const ProgramView&) = delete;
  ProgramView& operator=(const ProgramView&) = delete;

  std::uint16_t port() const { return port_; }
  const std::string& address() const { return address_; }
  ProgramScene& scene() { return scene_; }
  int pages() const { return scene_.pages(); }
  /// Pages of this machine may show this one within themselves, as notebooks do.
  void allowFrames() {
    if (server_) server_->allowFrames();
  }

  /// Another world; pages load again. `begin`: called with it before pages see it; by default it is placed at time 0.
  void show(const World& world, const std::string& name, Registry& registry, LogSink& log,
            const std::function<void(ReadOnlyWorld&)>& begin = {});
  /// Files in the place of what there was; pages load again. `still`: where they lie, kept as long as they are shown.
  void show(std::vector<ViewFile> files, std::unique_ptr<SnapshotLog> still = nullptr);
  /// Null where files are shown.
  ReadOnlyWorld* world() { return shown_ ? shown_->moved.get() : nullptr; }

  /// As `ProgramSession::take`.
  std::vector<message::ProgramRequest> take(std::chrono::milliseconds patience) { return session_.take(patience); }
  void wake() { session_.wake(); }
  bool open() const { return !ends_; }
  /// Ends the server, and with it what connects pages.
  void close();

 private:
  /// The content of pages: a still log with the world that moves, or files.
  struct Shown {
    std::unique_ptr<SnapshotLog> still;
    std::unique_ptr<ReadOnlyWorld> moved;
    FileSession files;
  };
  static std::unique_ptr<Shown> moving(const World& world, Registry& registry, LogSink& log,
                                       const std::function<void(ReadOnlyWorld&)>& begin);
  void change(std::unique_ptr<Shown> next, std::vector<ViewFile> files);
  void serve(std::uint16_t port, std::vector<ViewFile> files);

  ProgramScene scene_;
  ChangingSession changing_;
  ProgramSession session_{changing_, scene_};
  std::unique_ptr<Shown> before_, shown_;  ///< Pages may still read what was shown before.
  std::unique_ptr<ViewServer> server_;     ///< Null: closed.
  std::uint16_t port_ = 0;
  std::string address_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace mortise::viewer
