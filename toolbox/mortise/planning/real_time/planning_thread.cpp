#include "mortise/planning/real_time/planning_thread.h"

#include <utility>

namespace mortise {

PlanningThread::PlanningThread(std::function<void()> work) : work_(std::move(work)), thread_([this] { run(); }) {}

PlanningThread::~PlanningThread() {
  wait();
  state_.store(State::leaving, std::memory_order_release);
  state_.notify_all();
  thread_.join();
}

void PlanningThread::begin() {
  state_.store(State::working, std::memory_order_release);
  state_.notify_all();
}

void PlanningThread::wait() const { state_.wait(State::working, std::memory_order_acquire); }

void PlanningThread::run() {
  while (true) {
    state_.wait(State::idle, std::memory_order_acquire);
    if (state_.load(std::memory_order_acquire) == State::leaving) return;
    work_();
    state_.store(State::idle, std::memory_order_release);
    state_.notify_all();
  }
}

}  // namespace mortise
