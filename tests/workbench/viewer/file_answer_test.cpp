// Ranges of files that requests ask for, and lists in headers.

#include "mortise/viewer/http/file_answer.h"

#include <gtest/gtest.h>

namespace mortise::viewer {
namespace {

using Kind = WantedBytes::Kind;

std::string shown(std::string_view header, std::uint64_t size) {
  const WantedBytes wanted = wantedBytes(header, size);
  if (wanted.kind == Kind::full) return "whole";
  if (wanted.kind == Kind::none) return "none";
  return std::to_string(wanted.range.first) + "-" + std::to_string(wanted.range.last);
}

TEST(WantedBytes, AreThoseOfTheHeader) {
  EXPECT_EQ(shown("bytes=0-0", 10), "0-0");
  EXPECT_EQ(shown("bytes=2-5", 10), "2-5");
  EXPECT_EQ(shown("bytes= 2 - 5 ", 10), "2-5");
  EXPECT_EQ(shown("bytes=2-", 10), "2-9");
  EXPECT_EQ(shown("bytes=2-99", 10), "2-9");
  EXPECT_EQ(shown("bytes=-3", 10), "7-9");
  EXPECT_EQ(shown("bytes=-99", 10), "0-9");
  EXPECT_EQ(shown("bytes=3-99999999999999999999999999", 10), "3-9");
}

TEST(WantedBytes, BehindTheEndAreNone) {
  EXPECT_EQ(shown("bytes=10-", 10), "none");
  EXPECT_EQ(shown("bytes=99999999999999999999999999-", 10), "none");
  EXPECT_EQ(shown("bytes=-0", 10), "none");
  EXPECT_EQ(shown("bytes=0-", 0), "none");
  EXPECT_EQ(shown("bytes=-1", 0), "none");
}

TEST(WantedBytes, OfHeadersWithoutSenseAreAll) {
  for (const char* header : {"", "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=1-2,4-5", "bytes=+1-2",
                             "lines=1-2", "bytes=1", "bytes=-1-2", "Bytes=0x1-2"})
    EXPECT_EQ(shown(header, 10), "whole") << header;
}

TEST(ListHas, WhatIsNotRefused) {
  EXPECT_TRUE(listHas("gzip", "gzip"));
  EXPECT_TRUE(listHas("br, gzip;q=0.5 , deflate", "gzip"));
  EXPECT_FALSE(listHas("gzip;q=0", "gzip"));
  EXPECT_FALSE(listHas("gzip; q=0.000", "gzip"));
  EXPECT_FALSE(listHas("xgzip, gzipx", "gzip"));
  EXPECT_FALSE(listHas("", "gzip"));
}

}  // namespace
}  // namespace mortise::viewer
