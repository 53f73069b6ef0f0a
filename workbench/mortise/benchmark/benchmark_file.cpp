#include <map>
#include <optional>
#include <set>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "mortise/base/schema.h"
#include "mortise/base/value_text.h"
#include "mortise/benchmark/benchmark.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/format_loader.h"
#include "mortise/loading/planning_problem_files.h"
#include "mortise/pipeline/file/variables.h"
#include "mortise/planning/problem_request.h"
#include "mortise/planning/request/required_planner.h"
#include "mortise/planning/sampling.h"
#include "mortise/planning/settings/plan_settings.h"
#include "mortise/planning/space/plan_space.h"
#include "mortise/settings/parse_setting.h"
#include "mortise/settings/settings.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

namespace {

/// Limits of one run; a problem may have its own.
struct RunLimits {
  std::optional<double> timeLimit;  ///< s
  std::optional<std::int64_t> iterations;
  std::optional<bool> optimize;
  void bind(SettingBinder& b) {
    b.add("time_limit", timeLimit, "Of one run; by default 10 s. A problem may have its own.", {.min = 0, .unit = "s"});
    b.add("iterations", iterations, "Of one run.", {.min = 0});
    b.add("optimize", optimize, "Go on after the first path until a limit ends the run.");
  }
};

struct BenchmarkSettings {
  int version = 1;
  std::optional<std::string> name;
  Value variables, plugins, planners, problems, seeds;
  RunLimits limits;
  void bind(SettingBinder& b) {
    b.add("mortise", version, "Version of this kind of file: 1.", {.min = 1, .max = 1});
    b.add("name", name, "What the report is called; by default the file's name.");
    b.map("variables", variables, "Values for ${name}.");
    b.add("plugins", plugins, "Plugin files and folders.");
    b.add("planners", planners, "A list of planners: names, or maps {type: NAME, name: for tables, settings...}.",
          {.required = true});
    b.add("problems", problems, "A list of problems, or one.", {.required = true});
    b.add("seeds", seeds, "How many (1, 2, ...), or a list of them; by default 10.");
    limits.bind(b);
  }
};

/// An entry of `planners` that is a map.
struct PlannerOfBenchmark {
  Value type;
  std::optional<std::string> name;
  Value settings;
  void bind(SettingBinder& b) {
    b.add("type", type, "Which planner.");
    b.add("name", name, "What tables call it; by default its type.");
    b.others(settings);
  }
};

/// A problem that is not in files of another program: a plan in a world.
struct ProblemSettings {
  Value name, world, pairs;
  Value plan;
  void bind(SettingBinder& b) {
    b.add("name", name, "What tables call it; by default the name of the world's file.");
    b.add("world", world, "World file.");
    b.add("pairs", pairs, "Starts and goals drawn at random: how many, or a map.");
    b.others(plan);
  }
};

/// `pairs` of a problem.
struct PairSettings {
  int count = 20;
  std::int64_t seed = 1;
  SamplePairsOptions options;
  void bind(SettingBinder& b) {
    b.add("count", count, "How many.", {.min = 1, .max = 100000});
    b.add("seed", seed, "Of drawing them.", {.min = 0});
    b.add("blocked", options.blockedOnly, "Only those whose straight edge is infeasible.");
    b.add("min_distance", options.minDistance, "Distance of the two, at least.", {.min = 0, .aliases = {"least"}});
    b.add("max_distance", options.maxDistance, "Distance of the two, at most.",
          {.min = 0, .aliases = {"most"}, .infinite = true});
  }
};

std::uint64_t hashText(const std::string& text, std::uint64_t seed) {
  return hashBytes(text.data(), text.size(), seed);
}
std::uint64_t hashNumbers(const VectorXd& q, std::uint64_t seed) {
  return hashBytes(q.data(), static_cast<std::size_t>(q.size()) * sizeof(double), seed);
}

struct LoadedWorld {
  std::shared_ptr<const World> world;
  std::shared_ptr<const WorldCollider> collider;
  std::uint64_t hash = 0;  ///< Hash of all files.
};

class BenchmarkReader {
 public:
  BenchmarkReader(const std::string& file, Registry& registry, LogSink& log, const ResourcePath& paths,
                  Diagnostics& diagnostics)
      : file_(file), registry_(registry), log_(log), paths_(paths), diagnostics_(diagnostics) {}

  Benchmark read(const Value& root);

 private:
  void readPlanners(const Value& list);
  void readSeeds(const Value& seeds);
  void readProblem(const Value& given, std::size_t index);
  void readPlanProblem(const ProblemSettings& given, const std::string& name);
  void readProblemFiles(const Value& given, const std::string& format, const std::string& name);
  const LoadedWorld& world(const Value& reference);
  void addPairs(BenchmarkProblem problem, const Value& given);
  void add(BenchmarkProblem problem);
  template <typename Work>
  bool attempt(const Value& at, Work work) {
    try {
      work();
      return true;
    } catch (const DiagnosticsError& error) {
      for (const Diagnostic& each : error.list()) diagnostics_.add(each);
    } catch (const Error& error) {
      diagnostics_.error(error.message(), error.where().known() ? error.where() : at.position(), error.hint());
    }
    return false;
  }

  std::string file_;
  Registry& registry_;
  LogSink& log_;
  const ResourcePath& paths_;
  Diagnostics& diagnostics_;
  RunLimits limits_;                    ///< Limits of all problems that have none of their own.
  Value writtenLimits_ = Value::map();  ///< The same as a map.
  std::map<std::string, LoadedWorld> worlds_;
  Benchmark benchmark_;
};

Benchmark BenchmarkReader::read(const Value& root) {
  benchmark_.file = file_;
  const Value complete = schemaOf<BenchmarkSettings>().complete(root, "the benchmark", diagnostics_);
  const auto given = settingsFrom<BenchmarkSettings>(complete, diagnostics_);
  std::string stem = file_.substr(file_.find_last_of('/') + 1);
  stem = stem.substr(0, stem.find_last_of('.'));
  benchmark_.name = given.name.value_or(stem);
  limits_ = given.limits;
  const Schema limits = schemaOf<RunLimits>();
  for (const Parameter& limit : limits.parameters())
    if (const Value* value = complete.find(limit.name); value != nullptr && !value->isNull())
      writtenLimits_.set(limit.name, *value);
  if (!given.planners.isNull()) readPlanners(given.planners);
  attempt(given.seeds, [&] { readSeeds(given.seeds); });
  if (given.problems.isList()) {
    if (given.problems.size() == 0) diagnostics_.error("there are no problems", given.problems.position());
    for (std::size_t i = 0; i < given.problems.size(); ++i) readProblem(given.problems[i], i);
  } else if (!given.problems.isNull()) {
    readProblem(given.problems, 0);
  }
  diagnostics_.throwIfErrors("the benchmark cannot be run");

  for (std::size_t p = 0; p < benchmark_.problems.size(); ++p)
    for (std::size_t k = 0; k < benchmark_.planners.size(); ++k)
      for (const std::uint64_t seed : benchmark_.seeds) {
        const BenchmarkPlanner& planner = benchmark_.planners[k];
        std::uint64_t hash = hashText(planner.type, benchmark_.problems[p].fingerprint);
        hash = hashText(toJson(planner.settings, -1), hash);
        hash = hashBytes(&seed, sizeof seed, hash);
        benchmark_.cases.push_back({p, k, seed, formatHash(hash)});
      }
  return std::move(benchmark_);
}

void BenchmarkReader::readPlanners(const Value& list) {
  std::vector<Value> items;
  if (list.isList())
    items = list.items();
  else
    items.push_back(list);
  if (items.empty()) diagnostics_.error("there are no planners", list.position());
  std::set<std::string> names;
  for (const Value& item : items)
    attempt(item, [&] {
      BenchmarkPlanner planner;
      if (item.isMap()) {
        const auto given = readSettings<PlannerOfBenchmark>(item, "a planner");
        if (!given.type.isString())
          throw Error("a planner needs a type", item.position(), "write {type: prm, knn: 15}, or just its name");
        planner.type = given.type.asString();
        planner.name = given.name.value_or(planner.type);
        planner.settings = given.settings;
      } else if (item.isString()) {
        planner.name = planner.type = item.asString();
      } else {
        throw Error("expected the name of a planner, or a map", item.position());
      }
      if (!names.insert(planner.name).second)
        throw Error("there are two planners '" + planner.name + "'", item.position(),
                    "give one of them another name: {type: " + planner.type + ", name: ...}");
      const ComponentInfo& info = requirePlanner(registry_, planner.type, item.position());
      planner.type = info.name;
      planner.settings = registry_.completeSettings(info, planner.settings, diagnostics_);
      benchmark_.planners.push_back(std::move(planner));
    });
}

void BenchmarkReader::readSeeds(const Value& seeds) {
  if (seeds.isList()) {
    for (const Value& seed : seeds.items()) {
      if (seed.asInteger() < 0) throw Error("a seed must be at least 0", seed.position());
      benchmark_.seeds.push_back(static_cast<std::uint64_t>(seed.asInteger()));
    }
    if (benchmark_.seeds.empty()) throw Error("there are no seeds", seeds.position());
    return;
  }
  const std::int64_t count = seeds.isNull() ? 10 : seeds.asInteger();
  if (count < 1 || count > 1000000) throw Error("the number of seeds must be from 1 to 1000000", seeds.position());
  for (std::int64_t seed = 1; seed <= count; ++seed) benchmark_.seeds.push_back(static_cast<std::uint64_t>(seed));
}

const LoadedWorld& BenchmarkReader::world(const Value& reference) {
  // A loader of its own, which knows all files of this world.
  FormatLoader loader(registry_, log_, paths_);
  const std::string path = loader.find(reference.asString(), file_);
  const auto found = worlds_.find(path);
  if (found != worlds_.end()) return found->second;
  LoadedWorld loaded;
  const int before = diagnostics_.errorCount();
  loaded.world = std::make_shared<const World>(loader.world(path, {}, diagnostics_));
  if (diagnostics_.errorCount() == before) loaded.collider = makePlanCollider(loaded.world);
  for (const std::string& each : loader.filesRead()) loaded.hash = hashText(readFile(each), loaded.hash);
  return worlds_.emplace(path, std::move(loaded)).first->second;
}

void BenchmarkReader::readProblem(const Value& given, std::size_t index) {
  if (!given.isMap()) {
    diagnostics_.error("a problem is a map", given.position(), "write {world: FILE, goal: ...}, or {moveit: FOLDER}");
    return;
  }
  const auto problem = settingsFrom<ProblemSettings>(given);
  std::string name = problem.name.isNull() ? "" : problem.name.text();
  for (const Value::Entry& format : given.entries()) {
    if (planningProblemFormat(format.key, registry_) == nullptr) continue;
    for (const Value::Entry& entry : given.entries())
      if (entry.key != "name" && entry.key != format.key)
        diagnostics_.error("'" + entry.key + "' does not go with '" + format.key + "'", entry.keyPosition,
                           "such problems say everything in their own files");
    attempt(format.value, [&] { readProblemFiles(format.value, format.key, name.empty() ? format.key : name); });
    return;
  }
  const Value& file = problem.world;
  if (!file.isString()) {
    diagnostics_.error("problem " + std::to_string(index + 1) + " names no world", given.position(),
                       "write {world: FILE, goal: ...}, or {moveit: FOLDER}");
    return;
  }
  if (name.empty()) {
    name = file.asString().substr(file.asString().find_last_of('/') + 1);
    name = name.substr(0, name.find_last_of('.'));
  }
  attempt(file, [&] { readPlanProblem(problem, name); });
}

void BenchmarkReader::readPlanProblem(const ProblemSettings& given, const std::string& name) {
  const int before = diagnostics_.errorCount();
  const LoadedWorld& loaded = world(given.world);
  if (loaded.collider == nullptr) return;
  const Value& pairs = given.pairs;
  Value plan = given.plan;
  for (const char* other : {"planner", "settings", "seed"})
    if (const Value* value = plan.find(other)) {
      diagnostics_.error("'" + std::string(other) + "' is said for all problems at once", value->position(),
                         "use 'planners' and 'seeds' of the benchmark");
      plan.erase(other);
    }
  const Value* stop = plan.find("stop");
  for (const Value::Entry& entry : writtenLimits_.entries())
    if (!plan.contains(entry.key) && (stop == nullptr || !stop->contains(entry.key))) plan.set(entry.key, entry.value);
  FormatLoader loader(registry_, log_, paths_);
  const PlanSources sources{*loaded.world, loader, &registry_, file_, {}, {}};
  if (!pairs.isNull()) {
    for (const char* end : {"start", "goal"})
      if (const Value* value = plan.find(end))
        diagnostics_.error("'" + std::string(end) + "' does not go with 'pairs', which are starts and goals",
                           value->position(), "keep one of them");
    if (diagnostics_.errorCount() > before) return;
  }
  const Schema& schema = pairs.isNull() ? planSchema() : planSchemaWithoutEnds();
  const PlanRequest request =
      readPlan(schema.complete(plan, "problem '" + name + "'", diagnostics_), sources, 0, diagnostics_);
  if (diagnostics_.errorCount() > before) return;
  BenchmarkProblem problem{name, "", loaded.world, loaded.collider, request, 0};
  problem.fingerprint = hashText(toJson(plan, -1), loaded.hash);
  if (pairs.isNull())
    add(std::move(problem));
  else
    addPairs(std::move(problem), pairs);
}

void BenchmarkReader::addPairs(BenchmarkProblem problem, const Value& given) {
  Value count = given;
  if (given.isInteger()) {
    count = Value::map();
    count.set("count", given);
  }
  const auto pairs = readSettings<PairSettings>(count, "'pairs'", diagnostics_);
  if (!pairs) return;
  const auto world = planWorld(problem.world, problem.request.space);
  const VectorXd base = worldConfiguration(*world, problem.request.space);
  const std::unique_ptr<MotionSpace> space =
      makePlanSpace(world == problem.world ? problem.collider : makePlanCollider(world), problem.request.space, base);
  RandomStream random(static_cast<std::uint64_t>(pairs->seed), "pairs");
  const auto drawn = samplePairs(*space, random, pairs->count, pairs->options);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    BenchmarkProblem pair = problem;
    pair.part = "pair " + std::to_string(i + 1);
    pair.request.starts.assign(1, VectorXd());
    pair.request.goal.configurations.assign(1, VectorXd());
    space->lift(drawn[i].first, pair.request.starts.front());
    space->lift(drawn[i].second, pair.request.goal.configurations.front());
    pair.fingerprint = hashNumbers(pair.request.starts.front(), pair.fingerprint);
    pair.fingerprint = hashNumbers(pair.request.goal.configurations.front(), pair.fingerprint);
    add(std::move(pair));
  }
}

void BenchmarkReader::readProblemFiles(const Value& given, const std::string& format, const std::string& name) {
  for (PlanningProblemDescription& each :
       loadPlanningProblems(format, given, file_, registry_, log_, paths_, diagnostics_)) {
    BenchmarkProblem problem{name, each.name, each.world, makePlanCollider(each.world), problemRequest(each), 0};
    StopConditions& stop = problem.request.stop;
    stop.seconds = limits_.timeLimit.value_or(stop.seconds);
    stop.iterations = limits_.iterations.value_or(stop.iterations);
    if (limits_.optimize) stop.foundSolution = !*limits_.optimize;
    for (const std::string& file : each.files) problem.fingerprint = hashText(readFile(file), problem.fingerprint);
    problem.fingerprint = hashText(toJson(writtenLimits_, -1), problem.fingerprint);
    add(std::move(problem));
  }
}

void BenchmarkReader::add(BenchmarkProblem problem) {
  for (const BenchmarkProblem& other : benchmark_.problems)
    if (other.name == problem.name && other.part == problem.part) {
      diagnostics_.error("there are two problems '" + problem.name + "'", {}, "give one of them another name");
      return;
    }
  benchmark_.problems.push_back(std::move(problem));
}

}  // namespace

Value readBenchmarkFile(const std::string& file, const std::vector<std::string>& settings, Diagnostics& diagnostics) {
  Value root = loadYaml(file);
  if (!root.isMap())
    throw Error("a benchmark is a map of settings; this file holds " + std::string(Value::typeName(root.type())),
                {file, 1, 1, {}}, "start with the line 'planners: [any, rrt]'");
  for (const std::string& text : settings) {
    const AssignedSetting setting = parseSetting(text);
    root.setPath(setting.path, setting.value);
  }
  expandVariables(root, diagnostics);
  return root;
}

Benchmark makeBenchmark(const Value& root, const std::string& file, Registry& registry, LogSink& log,
                        const ResourcePath& paths, Diagnostics& diagnostics) {
  return BenchmarkReader(file, registry, log, paths, diagnostics).read(root);
}

}  // namespace mortise
