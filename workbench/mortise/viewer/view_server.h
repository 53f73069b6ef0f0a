#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

struct ViewFile {
  std::string name;  ///< Shown in the page.
  std::string path;
  Value overlays = {};  ///< Things that the page draws besides: a list of {name, color, lines, points}; or null.
};

/// Serves the viewer and some logs to browsers on this machine: HTTP on 127.0.0.1, and a WebSocket where there is
/// something to talk to.
///
/// The page itself holds nothing of the user's. Everything else needs the token of the address, which the page takes
/// from the part of it that browsers do not send; requests whose Host is another name (DNS rebinding) or whose Origin
/// is another page are refused. Logs are sent in ranges, the page compressed, and not again where the browser has it.
class ViewServer {
 public:
  /// `port` 0: any that is free. `session` outlives the server; null: pages look at files only. Throws `Error` for a
  /// port that is taken, and where there is no viewer page.
  ViewServer(std::vector<ViewFile> files, std::uint16_t port, ViewSession* session = nullptr);
  ~ViewServer();

  /// A further name that the machine has for browsers, HOST or HOST:PORT: where a port of another machine leads here,
  /// say. Before `run`. Throws `Error` for what is no name.
  void allowHost(const std::string& name);
  /// Pages of this machine and of editors may show this server's page within them, as notebooks do. From any thread.
  void allowFrames();
  std::uint16_t port() const;
  /// The whole address, token included.
  std::string address() const;
  /// Other files from now on; from any thread. Pages that are open keep what they have.
  void show(std::vector<ViewFile> files);
  /// Answers requests until `stopRequested` returns true, which is asked ten times a second; pages are told then.
  void run(const std::function<bool()>& stopRequested);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mortise::viewer
