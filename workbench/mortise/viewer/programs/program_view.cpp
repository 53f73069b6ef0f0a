#include "mortise/viewer/programs/program_view.h"

#include <utility>

namespace mortise::viewer {

ProgramView::ProgramView(const World& world, const std::string& name, Registry& registry, LogSink& log,
                         std::uint16_t port) {
  shown_ = std::make_unique<Shown>();
  shown_->still = std::make_unique<SnapshotLog>(world, registry, log);
  shown_->moved = std::make_unique<ReadOnlyWorld>(world);
  changing_.set(shown_->moved.get());
  serve(port, {{name, shown_->still->path()}});
}

ProgramView::ProgramView(std::vector<ViewFile> files, std::uint16_t port) {
  shown_ = std::make_unique<Shown>();
  changing_.set(&shown_->files);
  serve(port, std::move(files));
}

ProgramView::~ProgramView() { close(); }

void ProgramView::serve(std::uint16_t port, std::vector<ViewFile> files) {
  server_ = std::make_unique<ViewServer>(std::move(files), port, &session_);
  thread_ = std::thread([this] { server_->run([this] { return ends_.load(); }); });
}

void ProgramView::change(std::unique_ptr<Shown> next, std::vector<ViewFile> files) {
  ViewSession* session = &next->files;
  if (next->moved) session = next->moved.get();
  before_ = std::exchange(shown_, std::move(next));
  server_->show(std::move(files));
  changing_.set(session);
}

void ProgramView::show(const World& world, const std::string& name, Registry& registry, LogSink& log) {
  auto next = std::make_unique<Shown>();
  next->still = std::make_unique<SnapshotLog>(world, registry, log);
  next->moved = std::make_unique<ReadOnlyWorld>(world);
  std::vector<ViewFile> files = {{name, next->still->path()}};
  change(std::move(next), std::move(files));
}

void ProgramView::show(std::vector<ViewFile> files, std::unique_ptr<SnapshotLog> still) {
  auto next = std::make_unique<Shown>();
  next->still = std::move(still);
  change(std::move(next), std::move(files));
}

void ProgramView::close() {
  ends_ = true;
  session_.wake();
  if (thread_.joinable()) thread_.join();
}

}  // namespace mortise::viewer
