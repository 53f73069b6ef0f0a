#include "mortise/benchmark/benchmark_run.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/plan_report.h"
#include "mortise/planning/plan_setup.h"

namespace mortise {

namespace {

using Clock = std::chrono::steady_clock;

double threadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A line of /proc/self/status that counts kilobytes, in bytes; 0 where there is none.
double memoryLine(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(key + ":", 0) == 0) return 1024 * std::atof(line.c_str() + key.size() + 1);
  return 0;
}

/// From now on VmHWM is the most from now on, where the system can do that.
bool forgetMemoryPeak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5";
  return file.flush().good();
}

BenchmarkResult emptyResult(const Benchmark& benchmark, const BenchmarkCase& which) {
  BenchmarkResult result;
  result.id = which.id;
  result.problem = benchmark.problems[which.problem].name;
  result.part = benchmark.problems[which.problem].part;
  result.planner = benchmark.planners[which.planner].name;
  result.seed = which.seed;
  const auto numbers = [](const std::vector<VectorXd>& list) {
    return list.empty() ? std::vector<double>() : std::vector<double>(list.front().begin(), list.front().end());
  };
  const PlanRequest& request = benchmark.problems[which.problem].request;
  result.start = numbers(request.starts);
  result.goal = numbers(request.goal.configurations);
  return result;
}

/// A process that runs one case after the other, told by their numbers through a pipe.
struct Worker {
  pid_t process = -1;
  int orders = -1, answers = -1;  ///< Ends of pipes.
  std::string line;               ///< The answer so far.
  std::size_t which = 0;
  bool busy = false;
  Clock::time_point deadline = Clock::time_point::max();
};

bool writeAll(int file, const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool readAll(int file, void* data, std::size_t size) {
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(file, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

[[noreturn]] void work(const Benchmark& benchmark, Registry& registry, LogSink& log, int orders, int answers) {
  // The process that gives the orders decides what a signal to the whole group means, such as Ctrl-C or the end of a
  // service, and kills this one: a planner that is ended by it has not crashed.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::uint64_t which = 0;
  while (readAll(orders, &which, sizeof which)) {
    std::string line;
    try {
      const BenchmarkCase& each = benchmark.cases[static_cast<std::size_t>(which)];
      line = toJson(runBenchmarkCase(benchmark, each, registry, log).toValue(), -1) + "\n";
    } catch (...) {
      _exit(1);
    }
    if (!writeAll(answers, line.data(), line.size())) break;
  }
  _exit(0);
}

class Crew {
 public:
  Crew(const Benchmark& benchmark, Registry& registry, LogSink& log, int size)
      : benchmark_(benchmark), registry_(registry), log_(log), workers_(static_cast<std::size_t>(size)) {
    pipeSignal_ = std::signal(SIGPIPE, SIG_IGN);  // A worker that has ended is no reason to end.
  }
  ~Crew() {
    for (Worker& worker : workers_) dismiss(worker, true);
    std::signal(SIGPIPE, pipeSignal_);
  }

  std::vector<Worker>& workers() { return workers_; }

  void give(Worker& worker, std::size_t which) {
    const double limit = benchmark_.problems[benchmark_.cases[which].problem].request.stop.seconds;
    worker.which = which;
    worker.line.clear();
    worker.busy = true;
    // Planners end by themselves; one that has not long after its time never will.
    worker.deadline = std::isfinite(limit) && limit < 1e6
                          ? Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(1e3 * (3 * limit + 30)))
                          : Clock::time_point::max();
    const std::uint64_t number = which;
    if (worker.process >= 0 && writeAll(worker.orders, &number, sizeof number)) return;
    dismiss(worker, true);
    hire(worker);
    if (!writeAll(worker.orders, &number, sizeof number)) throw Error("a process to plan in has ended at once");
  }

  /// Dismisses a worker; returns how its process ended.
  std::string dismiss(Worker& worker, bool kill) {
    if (worker.process < 0) return {};
    close(worker.orders);
    close(worker.answers);
    if (kill) ::kill(worker.process, SIGKILL);
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    worker.process = -1;
    if (WIFSIGNALED(status)) return strsignal(WTERMSIG(status));
    return "it ended with code " + std::to_string(WEXITSTATUS(status));
  }

 private:
  void hire(Worker& worker) {
    int orders[2], answers[2];
    if (pipe(orders) != 0) throw Error(std::string("no pipe to a process to plan in: ") + std::strerror(errno));
    if (pipe(answers) != 0) {
      close(orders[0]);
      close(orders[1]);
      throw Error(std::string("no pipe to a process to plan in: ") + std::strerror(errno));
    }
    const pid_t process = fork();
    if (process < 0) throw Error(std::string("no process to plan in: ") + std::strerror(errno));
    if (process == 0) {
      close(orders[1]);
      close(answers[0]);
      for (const Worker& other : workers_)
        if (other.process >= 0) {
          close(other.orders);
          close(other.answers);
        }
      work(benchmark_, registry_, log_, orders[0], answers[1]);
    }
    close(orders[0]);
    close(answers[1]);
    worker.process = process;
    worker.orders = orders[1];
    worker.answers = answers[0];
  }

  const Benchmark& benchmark_;
  Registry& registry_;
  LogSink& log_;
  std::vector<Worker> workers_;
  void (*pipeSignal_)(int);  ///< Handler of SIGPIPE before.
};

}  // namespace

BenchmarkResult runBenchmarkCase(const Benchmark& benchmark, const BenchmarkCase& which, Registry& registry,
                                 LogSink& log) {
  BenchmarkResult result = emptyResult(benchmark, which);
  const BenchmarkProblem& problem = benchmark.problems[which.problem];
  PlanRequest request = problem.request;
  request.planner = benchmark.planners[which.planner].type;
  request.settings = benchmark.planners[which.planner].settings;
  request.seed = which.seed;
  try {
    const bool measured = forgetMemoryPeak();
    const double before = memoryLine("VmRSS");
    PlanSetup setup(problem.world, problem.collider, std::move(request), registry, log);
    const double start = threadSeconds();
    const PlanResult plan = setup.run();
    result.cpuSeconds = threadSeconds() - start;
    result.memory = measured ? std::max(0.0, memoryLine("VmHWM") - before) : 0;
    const PlanningRun& run = plan.run;
    result.solved = !run.outcome.path.empty();
    result.status = planningStatusName(run.outcome.status);
    result.stoppedBy = run.stoppedBy;
    result.seconds = run.seconds;
    result.iterations = run.iterations;
    result.configurations = run.counts.configurations;
    result.edges = run.counts.edges;
    result.message = run.outcome.message;
    if (!result.solved) return result;
    result.cost = run.outcome.cost;
    for (std::size_t i = 1; i < run.outcome.path.size(); ++i)
      result.length += setup.space().distance(run.outcome.path[i - 1], run.outcome.path[i]);
    result.milestones = static_cast<int>(run.outcome.path.size());
    result.pathHash = pathHash(plan.path);
    result.start.assign(plan.path.front().begin(), plan.path.front().end());
    result.goal.assign(plan.path.back().begin(), plan.path.back().end());
  } catch (const std::exception& error) {
    result.solved = false;
    result.status = "error";
    result.message = error.what();
  }
  return result;
}

namespace {

/// Returns the cases that have no result yet.
std::vector<std::size_t> casesLeft(const Benchmark& benchmark, const BenchmarkResultFile& results) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < benchmark.cases.size(); ++i)
    if (results.find(benchmark.cases[i].id) == nullptr) left.push_back(i);
  return left;
}

/// Waits a tenth of a second at most for an answer of a process that plans.
std::vector<pollfd> waitForAnswers(Crew& crew) {
  std::vector<pollfd> files;
  for (const Worker& worker : crew.workers()) files.push_back({worker.busy ? worker.answers : -1, POLLIN, 0});
  if (poll(files.data(), files.size(), 100) < 0 && errno != EINTR)
    throw Error(std::string("waiting for plans failed: ") + std::strerror(errno));
  return files;
}

}  // namespace

int runBenchmark(const Benchmark& benchmark, Registry& registry, LogSink& log, BenchmarkResultFile& results,
                 const BenchmarkRunOptions& options) {
  const std::vector<std::size_t> left = casesLeft(benchmark, results);
  if (left.empty()) return 0;
  if (options.jobs < 1) throw Error("at least one plan has to be made at a time");
  const auto total = static_cast<double>(benchmark.cases.size());
  auto done = total - static_cast<double>(left.size());
  if (options.progress != nullptr) {
    options.progress->begin("plans", total);
    options.progress->advanceTo(done);
  }
  Crew crew(benchmark, registry, log, std::min(options.jobs, static_cast<int>(left.size())));
  std::size_t next = 0;
  int run = 0;
  const auto finish = [&](Worker& worker, const BenchmarkResult& result) {
    results.add(result);
    worker.busy = false;
    worker.deadline = Clock::time_point::max();
    ++run;
    if (options.progress != nullptr) options.progress->advanceTo(++done);
  };
  const auto lost = [&](Worker& worker, bool kill) {
    BenchmarkResult result = emptyResult(benchmark, benchmark.cases[worker.which]);
    result.status = kill ? "killed" : "crashed";
    const std::string how = crew.dismiss(worker, kill);
    result.message = kill ? "it did not stop long after its time" : how;
    finish(worker, result);
  };
  while (true) {
    if (options.stopRequested && options.stopRequested()) break;
    bool busy = false;
    for (Worker& worker : crew.workers()) {
      if (!worker.busy && next < left.size()) crew.give(worker, left[next++]);
      busy = busy || worker.busy;
    }
    if (!busy) break;
    const std::vector<pollfd> files = waitForAnswers(crew);
    for (std::size_t i = 0; i < files.size(); ++i) {
      Worker& worker = crew.workers()[i];
      if (!worker.busy) continue;
      if ((files[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        char bytes[4096];
        const ssize_t got = read(worker.answers, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
          lost(worker, false);
          continue;
        }
        worker.line.append(bytes, static_cast<std::size_t>(got));
        if (worker.line.back() == '\n')
          finish(worker, BenchmarkResult::fromValue(parseYaml(worker.line, "answer of a process that plans")));
      } else if (Clock::now() > worker.deadline) {
        lost(worker, true);
      }
    }
  }
  if (options.progress != nullptr) options.progress->end();
  return run;
}

}  // namespace mortise
