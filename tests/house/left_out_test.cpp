// What `./dev test` says of tests that were left out: tests/support/left_out.awk on reports as ctest writes them.

#include <gtest/gtest.h>

#include "mortise/base/files.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

class LeftOut : public FolderTest {
 protected:
  Ran report(const std::string& groups, const std::string& cases) const {
    writeFile(path("groups"), groups);
    writeFile(path("report.xml"), "<?xml version=\"1.0\"?>\n<testsuite name=\"(empty)\">\n" + cases + "</testsuite>\n");
    return runProgram({"/usr/bin/env", "awk", "-f", MORTISE_SOURCE_DIR "/tests/support/left_out.awk", path("groups"),
                       path("report.xml")});
  }
  static std::string ran(const std::string& name, const std::string& out = "fine") {
    return "\t<testcase name=\"" + name + "\" classname=\"x\" time=\"1\" status=\"run\">\n\t\t<system-out>" + out +
           "\n</system-out>\n\t</testcase>\n";
  }
  static std::string skipped(const std::string& name, const std::string& reason) {
    return "\t<testcase name=\"" + name + "\" classname=\"x\" time=\"1\" status=\"notrun\">\n" +
           "\t\t<skipped message=\"SKIP_REGULAR_EXPRESSION_MATCHED\"/>\n\t\t<system-out>Note: Google Test filter\n" +
           "a_test.cpp:12: Skipped\n" + reason + "\n\n[  SKIPPED ] x (0 ms)\n</system-out>\n\t</testcase>\n";
  }
};

const std::string kLeftOutGroups =
    "# a comment\n"
    "pages | ^viewer/ | | chromium\n"
    "types | | 'mypy'|no types | python3-mypy\n"
    "- | | the backend\n";

TEST_F(LeftOut, NothingIsLeftOut) {
  const Ran all = report(kLeftOutGroups, ran("viewer/page") + ran("a/b") + skipped("c", "the backend has no meshes"));
  EXPECT_EQ(all.exitCode, 0) << all.err;
  EXPECT_EQ(all.out, "every group of tests ran\n");
}

TEST_F(LeftOut, AGroupOfWhichNoTestRanIsNamed) {
  const Ran none = report(kLeftOutGroups, ran("a/b"));
  EXPECT_EQ(none.exitCode, 1);
  EXPECT_EQ(none.out, "left out: pages (no test of it ran); it needs chromium\n");
}

TEST_F(LeftOut, SkippedTestsAreCountedWithTheirReason) {
  const Ran some =
      report(kLeftOutGroups, ran("viewer/page") +
                                 ran("python/a",
                                     "SKIPPED [2] test_a.py:65: could not import 'mypy': No module named "
                                     "&apos;mypy&apos;\n1 passed, 2 skipped") +
                                 skipped("c", "no types &lt;here&gt;") + skipped("d", "fish is not installed") +
                                 skipped("e", "fish is not installed"));
  EXPECT_EQ(some.exitCode, 1);
  EXPECT_EQ(some.out,
            "left out: types (3 tests: could not import 'mypy': No module named 'mypy'); it needs python3-mypy\n"
            "left out: 2 tests: fish is not installed\n");
}

TEST_F(LeftOut, AReasonThatNoGroupNamesIsNoFailure) {
  const Ran other = report(kLeftOutGroups, ran("viewer/page") + skipped("d", "this processor has no AVX2"));
  EXPECT_EQ(other.exitCode, 0);
  EXPECT_EQ(other.out, "left out: 1 test: this processor has no AVX2\nevery group of tests ran\n");
}

TEST_F(LeftOut, AnEmptyReportIsNoSuccess) { EXPECT_EQ(report(kLeftOutGroups, "").exitCode, 2); }

}  // namespace
}  // namespace mortise::test
