#include <atomic>
#include <thread>

#include "io_test.h"

namespace mortise::test {
namespace {

using Cache = IoTest;

/// A triangle that no other test has.
std::string meshText(int seed) {
  return "OFF\n3 1 0\n0 0 0\n" + std::to_string(seed + 1) + " 0 0\n0 1.25 0\n3 0 1 2\n";
}

TEST_F(Cache, TheSameContentUnderAnotherNameIsReadOnce) {
  const std::string a = write("a.off", meshText(1)), b = write("sub/b.off", meshText(1)),
                    c = write("c.off", meshText(2));
  const GeometryPtr first = geometry(a);
  FormatLoader other(*registry, log);
  const GeometryPtr second = other.load<GeometryPtr>(b, {}, diagnostics),
                    third = other.load<GeometryPtr>(c, {}, diagnostics);
  EXPECT_EQ(&first->data(), &second->data());
  EXPECT_EQ(first->file(), a);
  EXPECT_EQ(second->file(), b);
  EXPECT_NE(&third->data(), &second->data());
  EXPECT_EQ(third->bounds().max, Vector3d(3, 1.25, 0));
  EXPECT_EQ(&first->withMargin(0.5)->data(), &first->data());
}

TEST_F(Cache, AFileThatChangesIsReadAgain) {
  const GeometryPtr before = geometry(write("a.off", meshText(3)));
  FormatLoader other(*registry, log);
  EXPECT_EQ(other.load<GeometryPtr>(write("a.off", meshText(4)), {}, diagnostics)->bounds().max, Vector3d(5, 1.25, 0));
}

TEST_F(Cache, TheReaderDecidesAsWell) {
  const std::string text = "3\n0 0 0\n1 0 0\n0 7.5 0\n1\n0 1 2\n";
  const GeometryPtr tri = geometry(write("a.tri", text));
  const std::string file = write("a.off", text);
  EXPECT_NE(errorText([&] { geometry(file); }).find("not an OFF file"), std::string::npos);
}

TEST_F(Cache, WarningsAreRepeatedToEveryoneUnderTheirName) {
  const std::string text = "Sphere 0 0 7.125 1 extra\n";
  const GeometryPtr held = geometry(write("a.geom", text));
  FormatLoader other(*registry, log);
  Diagnostics strict;
  strict.setStrict(true);
  const std::string b = write("b.geom", text);
  other.load<GeometryPtr>(b, {}, strict);
  ASSERT_EQ(strict.all().size(), 1u);
  EXPECT_EQ(strict.errorCount(), 1);
  EXPECT_EQ(strict.all()[0].where.file, b);
  EXPECT_EQ(strict.all()[0].where.column, 20);
}

TEST_F(Cache, ErrorsAreNotKept) {
  const std::string file = write("a.off", "OFF\n1 1 0\n");
  for (int round = 0; round < 2; ++round) {
    FormatLoader other(*registry, log);
    EXPECT_NE(errorText([&] { other.load<GeometryPtr>(file, {}, diagnostics); }), "");
  }
}

TEST_F(Cache, ManyThreadsShareOneShape) {
  const std::string file = write("a.off", meshText(5));
  geometry(write("warm.off", meshText(6)));  // The format's library is loaded before the threads start.
  constexpr int kThreads = 8;
  std::vector<std::unique_ptr<Registry>> registries;
  std::vector<std::unique_ptr<FormatLoader>> loaders;
  std::vector<MemoryLog> logs(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    registries.push_back(makeRegistry(logs[static_cast<std::size_t>(i)]));
    loaders.push_back(std::make_unique<FormatLoader>(*registries.back(), logs[static_cast<std::size_t>(i)]));
    Diagnostics ignored;
    loaders.back()->load<GeometryPtr>(path("warm.off"), {}, ignored);
  }
  std::vector<GeometryPtr> results(kThreads);
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < kThreads) std::this_thread::yield();
      Diagnostics mine;
      results[static_cast<std::size_t>(i)] = loaders[static_cast<std::size_t>(i)]->load<GeometryPtr>(file, {}, mine);
    });
  for (auto& thread : threads) thread.join();
  for (const GeometryPtr& g : results) {
    ASSERT_NE(g, nullptr);
    EXPECT_EQ(&g->data(), &results[0]->data());
  }
}

}  // namespace
}  // namespace mortise::test
