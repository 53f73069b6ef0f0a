#include "mortise/viewer/programs/program_view.h"

#include <utility>

namespace mortise::viewer {

ProgramView::ProgramView(const World& world, const std::string& name, Registry& registry, LogSink& log,
                         std::uint16_t port) {
  shown_ = moving(world, registry, log, {});
  changing_.set(shown_->moved.get());
  serve(port, {{name, shown_->still->path()}});
}

std::unique_ptr<ProgramView::Shown> ProgramView::moving(const World& world, Registry& registry, LogSink& log,
                                                        const std::function<void(ReadOnlyWorld&)>& begin) {
  auto shown = std::make_unique<Shown>();
  shown->still = std::make_unique<SnapshotLog>(world, registry, log);
  shown->moved = std::make_unique<ReadOnlyWorld>(world);
  if (begin)
    begin(*shown->moved);
  else
    shown->moved->place(world, 0);
  return shown;
}

ProgramView::ProgramView(std::vector<ViewFile> files, std::uint16_t port) {
  shown_ = std::make_unique<Shown>();
  changing_.set(&shown_->files);
  serve(port, std::move(files));
}

ProgramView::~ProgramView() { close(); }

void ProgramView::serve(std::uint16_t port, std::vector<ViewFile> files) {
  server_ = std::make_unique<ViewServer>(std::move(files), port, &session_);
  port_ = server_->port();
  address_ = server_->address();
  thread_ = std::thread([this] { server_->run([this] { return ends_.load(); }); });
}

void ProgramView::change(std::unique_ptr<Shown> next, std::vector<ViewFile> files) {
  ViewSession* session = &next->files;
  if (next->moved) session = next->moved.get();
  before_ = std::exchange(shown_, std::move(next));
  if (server_) server_->show(std::move(files));
  changing_.set(session);
}

void ProgramView::show(const World& world, const std::string& name, Registry& registry, LogSink& log,
                       const std::function<void(ReadOnlyWorld&)>& begin) {
  auto next = moving(world, registry, log, begin);
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
  server_.reset();
}

}  // namespace mortise::viewer
