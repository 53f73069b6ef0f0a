#pragma once

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <vector>

extern char** environ;

namespace mortise::test {

struct Ran {
  int exitCode = -1;
  int signal = 0;
  std::string out;
  std::string err;
};

/// Runs a program to its end. `environment` ("NAME=value") comes on top of this process's own.
inline Ran runProgram(std::vector<std::string> words, const std::vector<std::string>& environment = {}) {
  char outName[] = "/tmp/mortise_out_XXXXXX", errName[] = "/tmp/mortise_err_XXXXXX";
  const int out = mkstemp(outName), err = mkstemp(errName);
  std::vector<char*> arguments, variables;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<std::string> own = environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string name = std::string(*variable).substr(0, std::strcspn(*variable, "=") + 1);
    bool replaced = false;
    for (const auto& entry : environment) replaced = replaced || entry.starts_with(name);
    if (!replaced) own.push_back(*variable);
  }
  for (auto& variable : own) variables.push_back(variable.data());
  variables.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  pid_t process = 0;
  if (posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), variables.data()) != 0)
    throw std::runtime_error("cannot run " + words[0]);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  waitpid(process, &status, 0);
  close(out);
  close(err);

  Ran ran;
  if (WIFEXITED(status)) ran.exitCode = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ran.signal = WTERMSIG(status);
  const auto slurp = [](const char* name) {
    std::ostringstream text;
    text << std::ifstream(name).rdbuf();
    std::filesystem::remove(name);
    return text.str();
  };
  ran.out = slurp(outName);
  ran.err = slurp(errName);
  return ran;
}

/// `mortise ARGUMENTS...`, seeing no plugins but those of this build and of `environment`.
inline Ran runMortise(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
  arguments.insert(arguments.begin(), MORTISE_BINARY_DIR "/bin/mortise");
  environment.push_back("XDG_DATA_HOME=/nonexistent");
  return runProgram(std::move(arguments), environment);
}

}  // namespace mortise::test
