// The server of pages: who is refused, what malformed bytes do, and that connections which end leave nothing behind.

#include "mortise/viewer/view_server.h"

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "mortise/base/error.h"

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
  /// The status and the headers of the answer; empty: there is none.
  std::string headers() const {
    std::string answer;
    while (!answer.ends_with("\r\n\r\n")) {
      const std::string next = take(1);
      if (next.empty()) return "";
      answer += next;
    }
    return answer;
  }
  /// The status of the answer, whose headers are read; 0: there is none.
  int status() const {
    const std::string answer = headers();
    return answer.empty() ? 0 : std::stoi(answer.substr(9, 3));
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
/// A header's value; empty: there is none.
std::string valueOf(const std::string& headers, const std::string& name) {
  const std::size_t at = headers.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return headers.substr(begin, headers.find("\r\n", begin) - begin);
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
  /// The time in which the server answers nobody.
  void allowHosts(const std::vector<std::string>& names) {
    TearDown();
    for (const std::string& name : names) server->allowHost(name);
    stopped = false;
    thread = std::thread([this] { server->run([this] { return stopped.load(); }); });
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
  struct Answer {
    std::string headers, body;
    int status() const { return headers.empty() ? 0 : std::stoi(headers.substr(9, 3)); }
  };
  /// The answer to a request with the token.
  Answer get(const std::string& path, const std::string& headers = "") const {
    const Client client(server->port());
    client.put("GET " + path + " HTTP/1.1\r\n" + own + "Authorization: Bearer " + token + "\r\n" + headers + "\r\n");
    Answer answer{client.headers(), ""};
    if (const std::string length = valueOf(answer.headers, "Content-Length"); !length.empty() && length != "0")
      answer.body = client.take(std::stoul(length));
    return answer;
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

TEST_F(ViewServerTest, AnswersToPortsThatAreForwardedAndToNamesThatAreAllowed) {
  const auto with = [](const std::string& host, const std::string& origin) {
    return "Host: " + host + "\r\nOrigin: " + origin + "\r\n";
  };
  EXPECT_EQ(upgradeStatus(with("localhost:9000", "http://localhost:9000")), 101) << "ssh -L 9000:127.0.0.1:PORT";
  EXPECT_EQ(upgradeStatus(with("localhost:9000", "http://localhost:9001")), 403) << "a page of another server";
  EXPECT_EQ(upgradeStatus(with("robot.local:9000", "http://robot.local:9000")), 403);
  allowHosts({"robot.local:9000", "Gate.example"});
  EXPECT_EQ(upgradeStatus(with("robot.local:9000", "http://robot.local:9000")), 101);
  EXPECT_EQ(upgradeStatus(with("robot.local:9001", "http://robot.local:9001")), 403) << "a port was named";
  EXPECT_EQ(upgradeStatus(with("gate.example:77", "https://gate.example:77")), 101) << "no port was named";
  EXPECT_EQ(upgradeStatus(with("gate.example", "https://evil.example")), 403);
  EXPECT_NE(valueOf(get("/").headers, "Content-Security-Policy").find(" ws://robot.local:9000 "), std::string::npos);
  TearDown();
  for (const char* wrong : {"", ":80", "a b", "x;script-src", "robot.local:notaport", "http://robot.local", "*"})
    EXPECT_THROW(server->allowHost(wrong), Error) << wrong;
}

TEST_F(ViewServerTest, SendsRangesOfLogs) {
  const std::string file = testing::TempDir() + "view_server_ranges.bin";
  std::string content;
  for (int i = 0; i < 1000; ++i) content += static_cast<char>(i * 7 % 256);
  std::ofstream(file, std::ios::binary) << content;
  server->show({{"a", file, {}}});
  const Answer whole = get("/log/0");
  EXPECT_EQ(whole.status(), 200);
  EXPECT_EQ(whole.body, content);
  const std::string tag = valueOf(whole.headers, "ETag");
  ASSERT_FALSE(tag.empty());
  const Answer part = get("/log/0", "Range: bytes=10-19\r\n");
  EXPECT_EQ(part.status(), 206);
  EXPECT_EQ(part.body, content.substr(10, 10));
  EXPECT_EQ(valueOf(part.headers, "Content-Range"), "bytes 10-19/1000");
  EXPECT_EQ(get("/log/0", "Range: bytes=-5\r\nIf-Range: " + tag + "\r\n").body, content.substr(995));
  EXPECT_EQ(get("/log/0", "Range: bytes=990-5000\r\n").body, content.substr(990));
  const Answer beyond = get("/log/0", "Range: bytes=1000-\r\n");
  EXPECT_EQ(beyond.status(), 416);
  EXPECT_EQ(valueOf(beyond.headers, "Content-Range"), "bytes */1000");
  std::ofstream(file, std::ios::binary) << content << "more";
  EXPECT_EQ(get("/log/0", "Range: bytes=0-3\r\nIf-Range: " + tag + "\r\n").status(), 200) << "it has changed";
  std::filesystem::remove(file);
  EXPECT_EQ(get("/log/0", "Range: bytes=0-3\r\n").status(), 500);
}

TEST_F(ViewServerTest, SendsThePageCompressedAndOnlyOnce) {
  const Answer plain = get("/"), packed = get("/", "Accept-Encoding: deflate, gzip;q=0.8\r\n");
  EXPECT_EQ(valueOf(plain.headers, "Content-Encoding"), "");
  EXPECT_EQ(valueOf(packed.headers, "Content-Encoding"), "gzip");
  EXPECT_LT(2 * packed.body.size(), plain.body.size());
  ASSERT_EQ(packed.body.substr(0, 3), "\x1f\x8b\x08");
  const std::string tag = valueOf(packed.headers, "ETag");
  ASSERT_FALSE(tag.empty());
  const Answer again = get("/", "Accept-Encoding: gzip\r\nIf-None-Match: " + tag + "\r\n");
  EXPECT_EQ(again.status(), 304);
  EXPECT_TRUE(again.body.empty());
  EXPECT_EQ(get("/", "If-None-Match: \"other\"\r\n").status(), 200);
  EXPECT_EQ(valueOf(get("/", "Accept-Encoding: gzip;q=0\r\n").headers, "Content-Encoding"), "");
}

TEST_F(ViewServerTest, IdleConnectionsLockNobodyOut) {
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 100; ++i) idle.push_back(std::make_unique<Client>(server->port()));
  EXPECT_TRUE(serves()) << "behind connections that ask for nothing";
  idle.clear();
  for (int i = 0; i < 100; ++i) {
    const auto& stranger = idle.emplace_back(std::make_unique<Client>(server->port()));
    stranger->put("GET /session HTTP/1.1\r\n" + own + std::string(kUpgrade) + "\r\n");
    (void)stranger->status();
  }
  EXPECT_TRUE(serves()) << "behind pages that do not show their token";
}

TEST_F(ViewServerTest, TellsPagesThatItEnds) {
  const Client client(server->port());
  begin(client);
  stopped = true;
  const std::string head = client.take(4);
  ASSERT_EQ(head.size(), 4u);
  EXPECT_EQ(static_cast<unsigned char>(head[0]), 0x88) << "a frame that closes";
  EXPECT_EQ(256 * static_cast<unsigned char>(head[2]) + static_cast<unsigned char>(head[3]), 1001) << "going away";
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
