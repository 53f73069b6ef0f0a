#include "simulation/program_run.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise::bench {

namespace {

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments, double limit, int out) {
  const auto seconds = static_cast<rlim_t>(limit + 1);
  const rlimit maximum{seconds, seconds};
  setrlimit(RLIMIT_CPU, &maximum);
  dup2(out, STDOUT_FILENO);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDERR_FILENO);
  std::vector<char*> pointers = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  _exit(127);
}

std::string readAll(int from) {
  std::string text;
  char buffer[65536];
  for (ssize_t n = 0; (n = read(from, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ProgramRun runProgram(const std::string& program, const std::vector<std::string>& arguments, double limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("pipe: ") + std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) throw Error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) become(program, arguments, limit, ends[1]);
  close(ends[1]);
  const std::string text = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) continue;
  ProgramRun run;
  run.cpu = secondsOf(used.ru_utime) + secondsOf(used.ru_stime);
  if (WIFSIGNALED(status)) {
    run.fault = std::string("ended by signal ") + std::to_string(WTERMSIG(status));
  } else if (text.empty()) {
    run.fault = "exit code " + std::to_string(WEXITSTATUS(status));
  } else {
    run.printed = parseYaml(text, program);
  }
  return run;
}

std::string ownProgram() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "mortise").string();
}

}  // namespace mortise::bench
