// mortise view and mortise log html.

#include <arpa/inet.h>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "tests/support/folder_test.h"
#include "tests/support/run_program.h"

namespace mortise::test {
namespace {

const std::string kViewedWorld = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";

bool haveViewer() { return std::filesystem::exists(MORTISE_BINARY_DIR "/share/mortise/viewer.html"); }

/// A running `mortise view`.
class Viewer {
 public:
  explicit Viewer(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {MORTISE_BINARY_DIR "/bin/mortise", "view", "--no-browser"});
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn(&process_, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) address += c;
    close(ends[0]);
    const std::size_t colon = address.find(':', 6), hash = address.find("/#token=");
    if (hash == std::string::npos) throw std::runtime_error("no address: " + address);
    port = std::stoi(address.substr(colon + 1, hash - colon - 1));
    token = address.substr(hash + 8);
  }
  ~Viewer() { stop(); }

  /// Its exit code.
  int stop() {
    if (process_ <= 0) return -1;
    kill(process_, SIGINT);
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// The whole answer to raw bytes.
  std::string raw(const std::string& request) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) {
      if (send(socket, request.data(), request.size(), MSG_NOSIGNAL) >= 0) {
        char buffer[65536];
        for (ssize_t some = 0; (some = recv(socket, buffer, sizeof buffer, 0)) > 0;)
          answer.append(buffer, static_cast<std::size_t>(some));
      }
    }
    close(socket);
    return answer;
  }
  std::string get(const std::string& target, const std::string& headers = "", std::string host = "") const {
    if (host.empty()) host = "127.0.0.1:" + std::to_string(port);
    return raw("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers + "Connection: close\r\n\r\n");
  }
  std::string allowed() const { return "Authorization: Bearer " + token + "\r\n"; }

  std::string address, token;
  int port = 0;

 private:
  pid_t process_ = 0;
};

int statusOf(const std::string& answer) { return answer.size() > 12 ? std::stoi(answer.substr(9, 3)) : 0; }
std::string bodyOf(const std::string& answer) {
  const std::size_t at = answer.find("\r\n\r\n");
  return at == std::string::npos ? "" : answer.substr(at + 4);
}

/// Connections that ask for nothing.
class IdleConnections {
 public:
  IdleConnections(int port, int count) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < count; ++i) {
      sockets_.push_back(::socket(AF_INET, SOCK_STREAM, 0));
      (void)connect(sockets_.back(), reinterpret_cast<sockaddr*>(&to), sizeof to);
    }
  }
  ~IdleConnections() {
    for (const int socket : sockets_) close(socket);
  }

 private:
  std::vector<int> sockets_;
};

class ViewTest : public FolderTest {
 protected:
  void SetUp() override {
    if (!haveViewer()) GTEST_SKIP() << "the viewer was left out of the build";
    FolderTest::SetUp();
  }
  std::string record() const {
    const Ran ran = runMortise({"sim", kViewedWorld, "--duration", "0.1", "--mcap", path("run.mcap"), "--quiet"});
    EXPECT_EQ(ran.exitCode, 0) << ran.err;
    return path("run.mcap");
  }
};

TEST_F(ViewTest, ConnectionsThatAskForNothingMakeRoom) {
  const std::string log = record();
  Viewer viewer({log});
  const IdleConnections idle(viewer.port, 40);
  EXPECT_EQ(statusOf(viewer.get("/")), 200);
  EXPECT_EQ(statusOf(viewer.get("/logs", viewer.allowed())), 200);
}

TEST_F(ViewTest, ServesThePageAndTheLogsToWhoHasTheToken) {
  const std::string log = record();
  Viewer viewer({log});
  const std::string page = viewer.get("/");
  EXPECT_EQ(statusOf(page), 200);
  EXPECT_NE(page.find("Content-Security-Policy: default-src 'none'; script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(page.find("script-src 'unsafe-inline'"), std::string::npos) << "no script but the page's own runs";
  EXPECT_EQ(page.find(viewer.token), std::string::npos) << "the page does not hold the token";
  EXPECT_EQ(statusOf(viewer.get("/logs")), 401);
  EXPECT_EQ(statusOf(viewer.get("/log/0", "Authorization: Bearer 0123\r\n")), 401);
  const Value list = parseYaml(bodyOf(viewer.get("/logs", viewer.allowed())), "logs"), &logs = list.at("logs");
  EXPECT_EQ(list.at("session").asString(), "log") << "the run can go on";
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_EQ(logs.items().front().at("name").asString(), "run");
  EXPECT_EQ(bodyOf(viewer.get("/log/0", viewer.allowed())), readFile(log));
  EXPECT_EQ(statusOf(viewer.get("/log/1", viewer.allowed())), 404);
  EXPECT_EQ(viewer.stop(), 0);
}

TEST_F(ViewTest, TellsLogsOfSeveralRunsApart) {
  const std::string log = record();
  for (const char* folder : {"first", "second"}) {
    std::filesystem::create_directories(path(folder));
    std::filesystem::copy_file(log, path(folder) + "/run.mcap");
  }
  Viewer viewer({path("first"), path("second")});
  const Value list = parseYaml(bodyOf(viewer.get("/logs", viewer.allowed())), "logs"), &logs = list.at("logs");
  ASSERT_EQ(logs.items().size(), 2u);
  EXPECT_EQ(logs.items()[0].at("name").asString(), "first/run");
  EXPECT_EQ(logs.items()[1].at("name").asString(), "second/run");
}

TEST_F(ViewTest, RefusesOtherHostsPagesAndPaths) {
  Viewer viewer({record()});
  EXPECT_EQ(statusOf(viewer.get("/", "", "evil.example:" + std::to_string(viewer.port))), 403);
  EXPECT_EQ(statusOf(viewer.get("/", "", "127.0.0.1")), 200) << "as through another port that is forwarded to this one";
  EXPECT_EQ(statusOf(viewer.get("/logs", viewer.allowed() + "Origin: http://evil.example\r\n")), 403);
  EXPECT_EQ(statusOf(viewer.get("/logs", viewer.allowed() + "Origin: null\r\n")), 403);
  for (const char* name : {"localhost:9000", "127.0.0.1:9000"}) {
    const std::string page = viewer.allowed() + "Origin: http://" + name + "\r\n";
    EXPECT_EQ(statusOf(viewer.get("/logs", page, name)), 200) << "a page that came through the same forwarded port";
    EXPECT_EQ(statusOf(viewer.get("/logs", page)), 403) << "a page of another server of this machine";
  }
  for (const char* target : {"/../etc/passwd", "/log/../../etc/passwd", "/log/-1", "/log/0/", "//", "/log/%2e%2e"})
    EXPECT_EQ(statusOf(viewer.get(target, viewer.allowed())), 404) << target;
  EXPECT_EQ(statusOf(viewer.raw("POST /logs HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(viewer.port) + "\r\n" +
                                viewer.allowed() + "Connection: close\r\nContent-Length: 0\r\n\r\n")),
            405);
}

TEST_F(ViewTest, HasNoSocketWhereNothingRuns) {
  Viewer viewer({kViewedWorld});
  const std::string upgrade =
      "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  EXPECT_EQ(statusOf(viewer.raw("GET /session HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(viewer.port) + "\r\n" +
                                viewer.allowed() + upgrade + "Connection: upgrade, close\r\n\r\n")),
            404);
}

TEST_F(ViewTest, SurvivesNonsense) {
  Viewer viewer({record()});
  std::uint64_t state = 1;
  for (int i = 0; i < 300; ++i) {
    std::string noise = i % 2 ? "GET /" : "";
    for (int k = 0; k < 50 + i; ++k) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      noise += static_cast<char>(state >> 56);
    }
    viewer.raw(noise + "\r\n\r\n");
  }
  viewer.raw("GET / HTTP/1.1\r\nHost: " + std::string(200000, 'x') + "\r\n\r\n");
  EXPECT_EQ(statusOf(viewer.get("/")), 200);
}

TEST_F(ViewTest, ShowsWorldsAndRobotsThatDoNotMove) {
  Viewer viewer({MORTISE_SOURCE_DIR "/data/robots/reacher.rob"});
  EXPECT_EQ(bodyOf(viewer.get("/log/0", viewer.allowed())).substr(1, 4), "MCAP");
}

TEST_F(ViewTest, WrongInputIsAnError) {
  EXPECT_EQ(runMortise({"view", "--no-browser", "--port", "99999", kViewedWorld}).exitCode, 2);
  const Ran missing = runMortise({"view", "--no-browser", path("missing.mcap")});
  EXPECT_EQ(missing.exitCode, 1);
  EXPECT_NE(missing.err.find("missing.mcap"), std::string::npos) << missing.err;
  const Ran folder = runMortise({"view", "--no-browser", folder_.string()});
  EXPECT_EQ(folder.exitCode, 1);
  EXPECT_NE(folder.err.find("holds no log"), std::string::npos) << folder.err;
}

TEST_F(ViewTest, APageHoldsItsLogs) {
  const std::string log = record();
  const Ran ran = runMortise({"log", "html", log, log, "-o", path("run.html")});
  ASSERT_EQ(ran.exitCode, 0) << ran.err;
  const std::string page = readFile(path("run.html"));
  const std::size_t bytes = readFile(log).size(),
                    shown = page.size() - readFile(MORTISE_BINARY_DIR "/share/mortise/viewer.html").size();
  EXPECT_GE(shown, 2 * (bytes * 4 / 3));
  EXPECT_LT(shown, 2 * (bytes * 4 / 3) + 1000);
  EXPECT_EQ(page.find("http://", page.size() - shown), std::string::npos) << "nothing is loaded from elsewhere";
  EXPECT_EQ(runMortise({"log", "html", kViewedWorld, "-o", path("x.html")}).exitCode, 1);
}

}  // namespace
}  // namespace mortise::test
