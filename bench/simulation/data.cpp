#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "shared/plugins.h"
#include "simulation/bench.h"

namespace mortise::bench {

namespace fs = std::filesystem;

std::vector<Case> findCases(const Options& options) {
  std::vector<Case> all;
  const fs::path folder = fs::path(options.data) / "reference/klampt-oracle";
  if (!fs::exists(folder))
    throw Error("no reference data at '" + folder.string() + "'", {},
                "set MORTISE_REFERENCE_DIR to the folder that holds klampt-data/ and reference/");
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    if (name.rfind("sim_", 0) != 0) continue;
    Case found;
    found.name = name.substr(4);
    found.oracle = loadYaml(entry.path().string());
    found.file = found.oracle.at("file").asString();
    all.push_back(std::move(found));
  }
  std::sort(all.begin(), all.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  if (options.worlds.empty()) return all;
  std::vector<Case> chosen;
  for (const std::string& name : options.worlds) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const Case& c) { return c.name == name; });
    if (at == all.end()) throw Error("the oracle has no world '" + name + "'", {}, "see " + folder.string());
    chosen.push_back(*at);
  }
  return chosen;
}

Loaded::Loaded(const Options& options, const std::string& file) : registry(log), loader(registry, log) {
  discoverPlugins(registry);
  Diagnostics diagnostics;
  world = loader.world(options.data + "/klampt-data/" + file, {}, diagnostics);
  diagnostics.throwIfErrors(file);
}

std::unique_ptr<Simulation> Loaded::simulate(const std::string& backend) {
  SimulationOptions settings;
  settings.backend = backend;
  return std::make_unique<Simulation>(world, registry, &loader, log, settings);
}

Value runIsolated(double limit, const std::function<Value()>& work) {
  const auto fault = [](const std::string& text) {
    Value result = Value::map();
    result.set("fault", text);
    return result;
  };
  int ends[2];
  if (pipe(ends) != 0) throw Error(std::string("pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    close(ends[0]);
    const auto seconds = static_cast<rlim_t>(limit + 60);
    const rlimit maximum{seconds, seconds};
    setrlimit(RLIMIT_CPU, &maximum);
    Value result;
    try {
      result = work();
    } catch (const std::exception& e) {
      result = fault(e.what());
    }
    const std::string text = toJson(result, -1);
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t n = write(ends[1], text.data() + at, text.size() - at);
      if (n <= 0) break;
      at += static_cast<std::size_t>(n);
    }
    close(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (n < 0) break;
    text.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return fault(std::string("ended by signal ") + std::to_string(WTERMSIG(status)) + " (" +
                 strsignal(WTERMSIG(status)) + ")");
  if (text.empty()) return fault("ended without an answer");
  return parseYaml(text, "child");
}

void writeJson(const Options& options, const Value& rows) {
  if (options.json.empty()) return;
  std::ofstream out(options.json);
  out << toJson(rows) << '\n';
  if (!out) throw Error("cannot write '" + options.json + "'");
}

double degreesBetween(const Matrix3d& a, const Matrix3d& b) {
  // Of the relative rotation's skew part and trace: good for small angles, too.
  const Matrix3d r = a.transpose() * b;
  const Vector3d skew(r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1));
  return std::atan2(skew.norm(), r.trace() - 1) * 180 / M_PI;
}

RigidTransform poseOf(const Value& numbers) {
  RigidTransform X;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) X.R(i, j) = numbers[3 * i + j].asReal();
    X.p[i] = numbers[9 + i].asReal();
  }
  return X;
}

}  // namespace mortise::bench
