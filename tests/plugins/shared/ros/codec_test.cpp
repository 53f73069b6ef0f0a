// Messages to bytes and back, in both encodings, and bytes that somebody else made up.

#include "ros/codec/codec.h"

#include <cstring>
#include <gtest/gtest.h>

#include "ros/messages/all_messages.h"
#include "tests/plugins/shared/ros/random_message.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/error_text.h"

namespace mortise::ros {
namespace {

using test::errorText;
using test::RandomMessage;

using Bytes = std::vector<std::byte>;

Bytes bytesOf(const std::string& hex) {
  Bytes bytes;
  std::string digits;
  for (const char c : hex)
    if (c != ' ') digits += c;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

JointState twoJoints() {
  JointState state;
  state.header = {0, {0, 5}, "base"};
  state.name = {"j1", "j2"};
  state.position = {1.5, -2};
  state.velocity = {0.25, 0};
  return state;
}

// Recorded from CycloneDDS and Fast DDS, which agree.
const char* const kTwoJoints =
    "00010000 00000000 05000000 05000000 62617365 00000000 02000000 03000000 6a310000 03000000 6a320000 02000000 "
    "00000000 00000000 0000f83f 00000000 000000c0 02000000 00000000 00000000 0000d03f 00000000 00000000 00000000";

TEST(RosCodec, CdrIsWhatDdsSends) {
  Bytes bytes;
  encode(twoJoints(), Encoding::cdr, bytes);
  EXPECT_EQ(bytes, bytesOf(kTwoJoints));
  JointState read;
  decode(bytes, Encoding::cdr, read);
  EXPECT_EQ(read, twoJoints());
}

TEST(RosCodec, Ros1PacksAndCountsMessages) {
  JointState state = twoJoints();
  state.header.seq = 7;
  state.velocity.clear();
  Bytes bytes;
  encode(state, Encoding::ros1, bytes);
  EXPECT_EQ(bytes, bytesOf("07000000 00000000 05000000 04000000 62617365 02000000 02000000 6a31 02000000 6a32 02000000"
                           "000000000000f83f 00000000000000c0 00000000 00000000"));
}

TEST(RosCodec, CdrOfTheOtherByteOrderIsRead) {
  // The clock at 1 s and 2 ns, as a machine with the high byte first sends it.
  Clock clock;
  decode(bytesOf("00000000 00000001 00000002"), Encoding::cdr, clock);
  EXPECT_EQ(clock.clock, (Time{1, 2}));
}

template <class M>
void expectRoundTrips(Encoding encoding) {
  RandomStream random(5, M::kName);
  RandomMessage maker(random, encoding == Encoding::ros1);
  for (int k = 0; k < 40; ++k) {
    const M message = maker.make<M>();
    Bytes bytes, again;
    encode(message, encoding, bytes);
    // Earlier content of the message that is filled does not matter.
    M read = maker.make<M>();
    decode(bytes, encoding, read);
    EXPECT_EQ(read, message) << M::kName;
    encode(read, encoding, again);
    EXPECT_EQ(again, bytes) << M::kName;
  }
}

TEST(RosCodec, AllMessagesRoundTrip) {
#define MORTISE_ROUND_TRIP(M)          \
  expectRoundTrips<M>(Encoding::ros1); \
  expectRoundTrips<M>(Encoding::cdr);
  MORTISE_ROS_MESSAGES(MORTISE_ROUND_TRIP)
#undef MORTISE_ROUND_TRIP
}

/// Every shortened copy is refused, up to the padding at the end, and damaged ones are read or refused.
template <class M>
void expectHostileBytesAreRefused(Encoding encoding) {
  RandomStream random(9, M::kName);
  RandomMessage maker(random, true);
  for (int k = 0; k < 10; ++k) {
    Bytes bytes;
    encode(maker.make<M>(), encoding, bytes);
    M read;
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_NE(errorText([&] { decode(std::span(bytes).first(size), encoding, read); }), "") << M::kName;
    for (int damage = 0; damage < 20; ++damage) {
      Bytes damaged = bytes;
      damaged[random.below(damaged.size())] = static_cast<std::byte>(random.bits());
      errorText([&] { decode(damaged, encoding, read); });
    }
  }
}

TEST(RosCodec, CutAndDamagedBytesAreRefused) {
#define MORTISE_HOSTILE(M)                         \
  expectHostileBytesAreRefused<M>(Encoding::ros1); \
  expectHostileBytesAreRefused<M>(Encoding::cdr);
  MORTISE_ROS_MESSAGES(MORTISE_HOSTILE)
#undef MORTISE_HOSTILE
}

TEST(RosCodec, LengthsThatLeadOutCostNoMemory) {
  // 4 G names, 4 G transforms, an image of 4 GB: none of them is there.
  const Bytes state = bytesOf("00010000 00000000 00000000 01000000 00000000 ffffffff");
  const Bytes frames = bytesOf("00010000 ffffff7f");
  JointState read;
  TFMessage transforms;
  const std::size_t before = test::allocatedBytes;
  EXPECT_NE(errorText([&] { decode(state, Encoding::cdr, read); }).find("'name'"), std::string::npos);
  EXPECT_NE(errorText([&] { decode(frames, Encoding::cdr, transforms); }).find("leads out"), std::string::npos);
  EXPECT_LT(test::allocatedBytes - before, 10000u);
}

TEST(RosCodec, UnknownHeadersOfCdrAreNamed) {
  Clock clock;
  EXPECT_NE(errorText([&] { decode(bytesOf("00070000 00000000 00000000"), Encoding::cdr, clock); }).find("found 0 7"),
            std::string::npos);
}

TEST(RosCodec, NegativeDurationsOfRos1AreOnes) {
  // -1.5 s as -1 s and -500000000 ns, which rosmsg allows.
  Bytes bytes(4 * 4 + 8);
  const std::int32_t parts[] = {-1, -500000000};
  std::memcpy(bytes.data() + 16, parts, 8);
  // A trajectory of one point without numbers stands around it.
  JointTrajectory trajectory;
  Bytes whole = bytesOf("00000000 00000000 00000000 00000000 00000000 01000000");
  whole.insert(whole.end(), bytes.begin(), bytes.end());
  decode(whole, Encoding::ros1, trajectory);
  ASSERT_EQ(trajectory.points.size(), 1u);
  EXPECT_DOUBLE_EQ(secondsOf(trajectory.points[0].time_from_start), -1.5);
}

}  // namespace
}  // namespace mortise::ros
