#include "mortise/viewer/view_server.h"

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/version.hpp>
#include <chrono>
#include <list>
#include <mutex>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/viewer/http/file_answer.h"
#include "mortise/viewer/http/host_names.h"
#include "mortise/viewer/protocol/write_message.h"
#include "mortise/viewer/view_token.h"
#include "mortise/viewer/viewer_page.h"
#include "mortise/viewer/web_socket.h"

namespace mortise::viewer {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

constexpr int kMaxConnections = 64;
/// The time that pages get to hear that the server ends.
constexpr std::chrono::milliseconds kFarewell{300};
constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kLargestRequest = 64 * 1024;
/// The policy of content of pages; `script`: the only one that runs in them, `sockets`: further places to connect to.
std::string policy(const std::string& script, const std::string& sockets) {
  return "default-src 'none'; script-src " + script +
         " 'wasm-unsafe-eval'; style-src 'unsafe-inline'; font-src data:; img-src data: blob:; connect-src 'self' " +
         sockets + " data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

/// The pages that may show ours within them, once that is allowed.
constexpr std::string_view kNoFrames = "frame-ancestors 'none'",
                           kOwnFrames =
                               "frame-ancestors http://127.0.0.1:* http://localhost:* https://127.0.0.1:* "
                               "https://localhost:* vscode-webview: vscode-file:";

std::string textOf(beast::string_view view) { return {view.data(), view.size()}; }

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

}  // namespace

struct ViewServer::State {
  class Connection;
  std::list<Connection*> waiting;  ///< For a request, the longest first. Outlives the context, which holds them.
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  mutable std::mutex filesMutex;
  std::vector<ViewFile> files;
  std::optional<ServedPage> page;
  HostNames hosts;
  std::string token, script, contentPolicy;
  std::vector<std::weak_ptr<WebSocket>> sockets;  ///< That may still be there, the oldest first.
  std::uint16_t port = 0;
  int connections = 0, pages = 0;
  std::atomic<bool> framed{false};
  ViewSession* session = nullptr;

  void accept();
  bool makeRoom();
  void farewell();
  bool ours(const Request& request, std::string& reason) const;
  Response answer(const Request& request) const;
  Response pageAnswer(const Request& request) const;
  Response listAnswer(const Request& request) const;
  Response fileAnswer(const Request& request, const std::string& path) const;
  Response response(const Request& request, http::status status, const std::string& type, std::string body) const;
};

Response ViewServer::State::response(const Request& request, http::status status, const std::string& type,
                                     std::string body) const {
  Response out(status, request.version());
  out.set(http::field::content_type, type);
  out.set(http::field::cache_control, "no-store");
  out.set("X-Content-Type-Options", "nosniff");
  out.set("Referrer-Policy", "no-referrer");
  out.set("Content-Security-Policy", contentPolicy);
  out.keep_alive(request.keep_alive());
  out.body() = std::move(body);
  out.prepare_payload();
  return out;
}

namespace {

void allowFramesIn(Response& response) {
  std::string policy = textOf(response["Content-Security-Policy"]);
  const std::size_t at = policy.find(kNoFrames);
  if (at == std::string::npos) return;
  response.set("Content-Security-Policy", policy.replace(at, kNoFrames.size(), kOwnFrames));
}

}  // namespace

/// One browser's connection: requests one after the other.
class ViewServer::State::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, State& server) : stream_(std::move(socket)), server_(server) { ++server_.connections; }
  ~Connection() {
    server_.waiting.remove(this);
    --server_.connections;
  }

  /// Ends a connection that waits.
  void drop() {
    server_.waiting.remove(this);
    stream_.close();
  }

  void read() {
    server_.waiting.push_back(this);
    parser_.emplace();
    parser_->header_limit(kLargestRequest);
    parser_->body_limit(0);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code code, std::size_t) {
      self->server_.waiting.remove(self.get());
      if (code) return;
      if (boost::beast::websocket::is_upgrade(self->parser_->get()) && self->upgrade()) return;
      self->write();
    });
  }

 private:
  /// To a WebSocket, where the session is asked for by one of our pages.
  bool upgrade() {
    std::string reason;
    const Request& request = parser_->get();
    if (server_.session == nullptr || request.target() != "/session" || !server_.ours(request, reason)) return false;
    State& server = server_;
    ++server.connections;  // This connection is gone when the other one is there.
    const auto socket = std::make_shared<WebSocket>(std::move(stream_), *server.session, server.token, ++server.pages,
                                                    [&server] { --server.connections; });
    std::erase_if(server.sockets, [](const std::weak_ptr<WebSocket>& other) { return other.expired(); });
    server.sockets.push_back(socket);
    socket->start(parser_->release());
    return true;
  }

  void write() {
    response_ = server_.answer(parser_->get());
    if (server_.framed) allowFramesIn(response_);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code code, std::size_t) {
      if (!code && self->response_.keep_alive()) self->read();
    });
  }

  beast::tcp_stream stream_;
  State& server_;
  beast::flat_buffer buffer_{kLargestRequest + 4096};
  std::optional<http::request_parser<http::empty_body>> parser_;
  Response response_;
};

/// Ends the connection that has said the least: one that waits for a request, or one that has not shown its token.
bool ViewServer::State::makeRoom() {
  if (!waiting.empty()) {
    waiting.front()->drop();
    return true;
  }
  for (const std::weak_ptr<WebSocket>& weak : sockets)
    if (const auto socket = weak.lock(); socket && socket->isStranger()) {
      socket->drop();
      return true;
    }
  return false;
}

void ViewServer::State::accept() {
  acceptor.async_accept([this](beast::error_code code, tcp::socket socket) {
    if (code == asio::error::operation_aborted) return;
    // Where all that are beyond the limit are busy, the new one is closed at once.
    if (!code && (connections < kMaxConnections || makeRoom()))
      std::make_shared<Connection>(std::move(socket), *this)->read();
    accept();
  });
}

/// Tells pages that nothing more comes.
void ViewServer::State::farewell() {
  beast::error_code code;
  acceptor.cancel(code);
  bool any = false;
  for (const std::weak_ptr<WebSocket>& weak : sockets)
    if (const auto socket = weak.lock()) {
      socket->end();
      any = true;
    }
  context.restart();
  if (any) context.run_for(kFarewell);
}

/// Says whether the request is for this server by its own name, and from no other page.
bool ViewServer::State::ours(const Request& request, std::string& reason) const {
  const std::string host = textOf(request[http::field::host]);
  if (!hosts.allows(host)) {
    reason = "this server answers to 127.0.0.1:" + std::to_string(port) +
             " and localhost; --allow-host NAME adds another name\n";
    return false;
  }
  if (request.count(http::field::origin) == 0) return true;
  if (HostNames::isSameOrigin(textOf(request[http::field::origin]), host)) return true;
  reason = "pages of another origin may not read this\n";
  return false;
}

Response ViewServer::State::listAnswer(const Request& request) const {
  message::LogList list;
  if (session != nullptr) {
    list.session = session->kind();
    list.version = session->version();
  }
  const std::lock_guard lock(filesMutex);
  for (const ViewFile& file : files) {
    message::ListedLog& log = list.logs.emplace_back();
    log.name = file.name;
    log.path = "log/" + std::to_string(list.logs.size() - 1);
    if (!file.overlays.isNull()) log.overlays = message::Overlays{file.overlays};
  }
  return response(request, http::status::ok, "application/json", jsonOf(std::move(list)));
}

Response ViewServer::State::answer(const Request& request) const {
  std::string reason;
  if (!ours(request, reason)) return response(request, http::status::forbidden, "text/plain", reason);
  if (request.method() != http::verb::get)
    return response(request, http::status::method_not_allowed, "text/plain", "only GET is answered\n");
  const std::string target = textOf(request.target());
  if (target == "/") return pageAnswer(request);
  const std::string given = textOf(request[http::field::authorization]);
  if (!isToken(given, "Bearer " + token))
    return response(request, http::status::unauthorized, "text/plain",
                    "the token is missing or wrong: open the whole address that `mortise view` printed\n");
  if (target == "/logs") return listAnswer(request);
  std::string path;
  {
    const std::lock_guard lock(filesMutex);
    for (std::size_t i = 0; i < files.size(); ++i)
      if (target == "/log/" + std::to_string(i)) path = files[i].path;
  }
  if (!path.empty()) return fileAnswer(request, path);
  return response(request, http::status::not_found, "text/plain", "there is nothing here\n");
}

/// The browser asks each time whether it has the page as it is.
Response ViewServer::State::pageAnswer(const Request& request) const {
  const bool packed = listHas(textOf(request[http::field::accept_encoding]), "gzip");
  const bool known = listHas(textOf(request[http::field::if_none_match]), page->tag);
  Response out = response(request, known ? http::status::not_modified : http::status::ok, "text/html; charset=utf-8",
                          known    ? std::string()
                          : packed ? page->packed
                                   : page->html);
  out.set(http::field::cache_control, "private, no-cache");
  out.set(http::field::etag, page->tag);
  out.set(http::field::vary, "Accept-Encoding");
  if (packed && !known) out.set(http::field::content_encoding, "gzip");
  // It would be the length of the page, which is not sent.
  if (known) out.erase(http::field::content_length);
  return out;
}

Response ViewServer::State::fileAnswer(const Request& request, const std::string& path) const {
  constexpr const char* kBytes = "application/octet-stream";
  try {
    const ServedFile file(path);
    const bool same = request.count(http::field::if_range) == 0 || textOf(request[http::field::if_range]) == file.tag;
    const WantedBytes wanted = wantedBytes(same ? textOf(request[http::field::range]) : std::string(), file.size);
    Response out;
    if (wanted.kind == WantedBytes::Kind::none) {
      out = response(request, http::status::range_not_satisfiable, "text/plain", "the file is not that long\n");
      out.set(http::field::content_range, "bytes */" + std::to_string(file.size));
    } else if (wanted.kind == WantedBytes::Kind::part) {
      std::string bytes = file.bytes(wanted.range);
      const std::uint64_t last = wanted.range.first + bytes.size() - 1;
      out = response(request, http::status::partial_content, kBytes, std::move(bytes));
      out.set(http::field::content_range, "bytes " + std::to_string(wanted.range.first) + "-" + std::to_string(last) +
                                              "/" + std::to_string(file.size));
    } else {
      out = response(request, http::status::ok, kBytes, readFile(path));
    }
    out.set(http::field::accept_ranges, "bytes");
    out.set(http::field::etag, file.tag);
    return out;
  } catch (const Error& error) {
    return response(request, http::status::internal_server_error, "text/plain", std::string(error.what()) + "\n");
  }
}

ViewServer::ViewServer(std::vector<ViewFile> files, std::uint16_t port, ViewSession* session)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.files = std::move(files);
  s.session = session;
  const std::string page = viewerPage();
  s.script = scriptOfPage(page);
  s.page.emplace(page);
  s.contentPolicy = policy(s.script, s.hosts.sockets());
  s.token = newToken();
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
  beast::error_code code;
  s.acceptor.open(endpoint.protocol(), code);
  if (!code) s.acceptor.set_option(asio::socket_base::reuse_address(true), code);
  if (!code) s.acceptor.bind(endpoint, code);
  if (!code) s.acceptor.listen(asio::socket_base::max_listen_connections, code);
  if (code)
    throw Error("port " + std::to_string(port) + " cannot be used: " + code.message(), {},
                "name another one, or none to take any that is free");
  s.port = s.acceptor.local_endpoint().port();
}

ViewServer::~ViewServer() = default;

void ViewServer::allowHost(const std::string& name) {
  state_->hosts.allow(name);
  state_->contentPolicy = policy(state_->script, state_->hosts.sockets());
}

void ViewServer::allowFrames() { state_->framed = true; }

std::uint16_t ViewServer::port() const { return state_->port; }

std::string ViewServer::address() const {
  return "http://127.0.0.1:" + std::to_string(state_->port) + "/#token=" + state_->token;
}

void ViewServer::show(std::vector<ViewFile> files) {
  const std::lock_guard lock(state_->filesMutex);
  state_->files = std::move(files);
}

void ViewServer::run(const std::function<bool()>& stopRequested) {
  state_->accept();
  while (!stopRequested()) {
    state_->context.restart();
    state_->context.run_for(std::chrono::milliseconds(100));
  }
  state_->farewell();
}

}  // namespace mortise::viewer
