// The server of pages: who is refused, what malformed bytes do, and that connections which end leave nothing behind.

#include "mortise/viewer/view_server.h"

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <filesystem>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace mortise::viewer {
namespace {

/// Answers every message with what it got.
class EchoSession final : public ViewSession {
 public:
  SessionKind kind() const override { return SessionKind::live; }
  std::string join(int) override {
    ++pages;
    return "{\"type\":\"hello\"}";
  }
  std::string answer(int, const PageMessage& message) override { return "{\"echo\":\"" + typeOf(message) + "\"}"; }
  std::optional<ViewPacket> next(int) override { return std::nullopt; }
  void leave(int) override { --pages; }

  std::atomic<int> pages{0};
};

constexpr std::string_view kUpgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    "dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A browser's end of a connection.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience = {60, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void put(std::string_view bytes) const { (void)!send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  std::string take(std::size_t count) const {
    std::string bytes(count, '\0');
    const ssize_t got = recv(socket_, bytes.data(), count, MSG_WAITALL);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  /// The status of the answer, whose headers are read.
  int status() const {
    std::string answer;
    while (!answer.ends_with("\r\n\r\n")) {
      const std::string next = take(1);
      if (next.empty()) return 0;
      answer += next;
    }
    return std::stoi(answer.substr(9, 3));
  }
  /// The next message without its frame; of less than 64 kB.
  std::string message() const {
    const std::string head = take(2);
    if (head.size() < 2) return "";
    const unsigned length = static_cast<unsigned char>(head[1]) & 127u;
    if (length < 126) return take(length);
    const std::string size = take(2);
    return take(256u * static_cast<unsigned char>(size.at(0)) + static_cast<unsigned char>(size.at(1)));
  }
  /// To the end of the connection.
  void drain() const {
    shutdown(socket_, SHUT_WR);
    while (!take(65536).empty()) {
    }
  }

 private:
  int socket_;
};

std::string frame(unsigned first, std::string_view text) {
  std::string out = {static_cast<char>(first), static_cast<char>(0x80 | text.size()), 1, 2, 3, 4};
  for (std::size_t i = 0; i < text.size(); ++i) out += static_cast<char>(text[i] ^ static_cast<char>(i % 4 + 1));
  return out;
}
std::string textFrame(std::string_view text) { return frame(0x81, text); }

class ViewServerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(MORTISE_BINARY_DIR "/share/mortise/viewer.html"))
      GTEST_SKIP() << "the viewer was left out of the build";
    server = std::make_unique<ViewServer>(std::vector<ViewFile>{}, std::uint16_t{0}, &session);
    token = server->address().substr(server->address().find('=') + 1);
    own = "Host: 127.0.0.1:" + std::to_string(server->port()) + "\r\n";
    thread = std::thread([this] { server->run([this] { return stopped.load(); }); });
  }
  void TearDown() override {
    stopped = true;
    if (thread.joinable()) thread.join();
  }
  int upgradeStatus(const std::string& headers) const {
    const Client client(server->port());
    client.put("GET /session HTTP/1.1\r\n" + headers + std::string(kUpgrade) + "\r\n");
    return client.status();
  }
  void begin(const Client& client) const {
    client.put("GET /session HTTP/1.1\r\n" + own + std::string(kUpgrade) + "\r\n");
    ASSERT_EQ(client.status(), 101);
    client.put(textFrame(token));
    ASSERT_EQ(client.message(), "{\"type\":\"hello\"}");
  }
  bool serves() const {
    const Client client(server->port());
    begin(client);
    client.put(textFrame("{\"type\":\"play\"}"));
    return client.message() == "{\"echo\":\"play\"}";
  }

  EchoSession session;
  std::unique_ptr<ViewServer> server;
  std::thread thread;
  std::atomic<bool> stopped{false};
  std::string token, own;
};

TEST_F(ViewServerTest, TalksToItsOwnPagesOnly) {
  EXPECT_EQ(upgradeStatus(own), 101);
  EXPECT_EQ(upgradeStatus(own + "Origin: http://127.0.0.1:" + std::to_string(server->port()) + "\r\n"), 101);
  for (const std::string origin : {"http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"})
    EXPECT_EQ(upgradeStatus(own + "Origin: " + origin + "\r\n"), 403) << origin;
  EXPECT_EQ(upgradeStatus("Host: evil.example\r\n"), 403);
  EXPECT_EQ(upgradeStatus("Host: evil.example:" + std::to_string(server->port()) + "\r\n"), 403);
  EXPECT_EQ(upgradeStatus(""), 403) << "without any Host";
}

TEST_F(ViewServerTest, AWrongTokenEndsTheConnectionBeforeAnythingIsSaid) {
  for (const std::string& wrong : {std::string("0123"), token.substr(1), token + "0", std::string()}) {
    const Client client(server->port());
    client.put("GET /session HTTP/1.1\r\n" + own + std::string(kUpgrade) + "\r\n");
    ASSERT_EQ(client.status(), 101);
    client.put(textFrame(wrong));
    const std::string head = client.take(2);
    ASSERT_EQ(head.size(), 2u);
    EXPECT_EQ(static_cast<unsigned char>(head[0]), 0x88) << "a frame that closes";
  }
  EXPECT_EQ(session.pages, 0);
}

TEST_F(ViewServerTest, TellsThePageWhichMessageIsWrongAndWhatWasExpected) {
  const Client client(server->port());
  begin(client);
  client.put(textFrame("{\"type\":\"link\",\"link\":\"x\",\"value\":0,\"n\":7}"));
  const std::string answer = client.message();
  EXPECT_TRUE(answer.starts_with("{\"type\":\"problem\"")) << answer;
  EXPECT_NE(answer.find("'link'"), std::string::npos) << answer;
  EXPECT_NE(answer.find("an integer"), std::string::npos) << answer;
  EXPECT_TRUE(answer.ends_with("\"n\":7}")) << answer;
}

TEST_F(ViewServerTest, SurvivesMalformedFrames) {
  std::mt19937 random(1);
  for (int connection = 0; connection < 40; ++connection) {
    const Client client(server->port());
    begin(client);
    std::thread reader([&] {
      while (!client.take(1).empty()) {
      }
    });
    for (int i = 0; i < 50; ++i) {
      std::string bytes(random() % 60, '\0');
      for (char& c : bytes) c = static_cast<char>(random());
      constexpr std::array<std::string_view, 5> kTexts = {"[[[[", "{}", "{\"type\":5}", "\"\\ud800\"", "{\"type\":"};
      switch (random() % 4) {
        case 0:
          client.put(textFrame(kTexts[random() % kTexts.size()]));
          break;
        case 1:
          client.put(textFrame(bytes));
          break;
        case 2:
          client.put(frame(random() % 256, bytes));
          break;
        default:
          client.put(bytes);
      }
    }
    client.drain();
    reader.join();
  }
  EXPECT_TRUE(serves());
}

TEST_F(ViewServerTest, ConnectionsThatEndLeaveNothing) {
  // Far more than may be open at the same time.
  for (int i = 0; i < 100; ++i) {
    const Client client(server->port());
    begin(client);
    if (i % 2 == 0) client.put(frame(0x88, "\x03\xe8"));
    client.drain();
  }
  EXPECT_TRUE(serves());
  for (int i = 0; i < 1000 && session.pages > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(session.pages, 0);
}

}  // namespace
}  // namespace mortise::viewer
