#include <gtest/gtest.h>

#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

/// A folder of two configurations, spelled as no writer of ours does.
class KlamptResources : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    std::filesystem::create_directories(folder_ / "poses");
    write("poses/a.config", kFirst);
    write("poses/b.config", kSecond);
  }
  void expectUntouched() const {
    EXPECT_EQ(text("poses/a.config"), kFirst);
    EXPECT_EQ(text("poses/b.config"), kSecond);
  }
  const std::string kFirst = "3  0.10 0.20 0.30 \n", kSecond = "3  1.0 2.0 3.00 \n";
};

TEST_F(KlamptResources, AFolderIsNotUnpackedOntoItself) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"Unpack", path("poses")},
                                                {"Unpack", path("poses/")},
                                                {"Pack", "-u", path("poses")},
                                                {"resource", "unpack", path("poses")},
                                                {"resource", "unpack", path("poses/"), "-o", path("poses/../poses")}}) {
    const Ran ran = runMortise(words);
    EXPECT_EQ(ran.exitCode, 1) << words.front() << ran.out;
    EXPECT_NE(ran.err.find("its parts would replace its own files"), std::string::npos) << ran.err;
    expectUntouched();
  }
}

TEST_F(KlamptResources, AFolderIsUnpackedElsewhere) {
  const Ran ran = runMortise({"resource", "unpack", path("poses"), "-o", path("parts")});
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  EXPECT_NE(text("parts/a.config"), "");
  expectUntouched();
}

TEST_F(KlamptResources, WhatIsPackedIsNotReplaced) {
  const std::string library = path("poses/all.xml");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"Pack", "-t", "xml"}, {"resource", "pack", "--as", "library"}}) {
    std::vector<std::string> words = command;
    for (const std::string& word : {path("poses/a.config"), path("poses/b.config"), std::string("-o"), library})
      words.push_back(word);
    ASSERT_EQ(runMortise(words).exitCode, 0);
    const std::string full = text("poses/all.xml");
    words.insert(words.end() - 2, library);
    const Ran again = runMortise(words);
    EXPECT_EQ(again.exitCode, 1) << again.out;
    EXPECT_NE(again.err.find("would replace what is packed"), std::string::npos) << again.err;
    EXPECT_EQ(text("poses/all.xml"), full);
    expectUntouched();
  }
}

}  // namespace
}  // namespace mortise::test
