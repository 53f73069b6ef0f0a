#include "mortise/viewer/web_socket.h"

#include <chrono>
#include <exception>

#include "mortise/base/error.h"
#include "mortise/json/json_reader.h"
#include "mortise/viewer/protocol/page_message.h"
#include "mortise/viewer/protocol/write_message.h"

namespace mortise::viewer {

namespace {

namespace asio_ws = boost::asio;
namespace beast_ws = boost::beast;
namespace websocket = boost::beast::websocket;

constexpr std::chrono::seconds kHandshake{10};
constexpr std::size_t kLargestMessage = 1024 * 1024;
/// How often news is looked for: after something was said, by either side, an answer is awaited.
constexpr std::chrono::milliseconds kPace{8}, kEagerPace{4};
constexpr std::chrono::milliseconds kEager{200};
/// Packets under way to a page: one is drawn while the next is sent.
constexpr int kCredit = 2;
/// Answers that wait for a page that does not read; then nothing more is taken from it.
constexpr std::size_t kMaxAnswers = 16;

/// The number that a message has, for the answer to it.
std::optional<std::int64_t> numberOf(const Value& given) {
  const Value* n = given.isMap() ? given.find("n") : nullptr;
  return n != nullptr && n->isInteger() ? std::optional(n->asInteger()) : std::nullopt;
}

}  // namespace

bool sameSecret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

WebSocket::WebSocket(beast_ws::tcp_stream stream, ViewSession& session, std::string token, int page,
                     std::function<void()> ended)
    : stream_(std::move(stream)),
      timer_(stream_.get_executor()),
      session_(session),
      token_(std::move(token)),
      page_(page),
      ended_(std::move(ended)) {}

WebSocket::~WebSocket() {
  if (joined_) session_.leave(page_);
  ended_();
}

void WebSocket::start(Request request) {
  request_ = std::move(request);
  beast_ws::error_code code;
  beast_ws::get_lowest_layer(stream_).socket().set_option(asio_ws::ip::tcp::no_delay(true), code);
  beast_ws::get_lowest_layer(stream_).expires_never();  // The WebSocket has its own times.
  // Who does not say the token soon is no page.
  stream_.set_option(websocket::stream_base::timeout{kHandshake, kHandshake, false});
  stream_.read_message_max(kLargestMessage);
  stream_.async_accept(request_, [self = shared_from_this()](beast_ws::error_code failed) {
    if (!failed) self->read();
  });
}

void WebSocket::read() {
  stream_.async_read(buffer_, [self = shared_from_this()](beast_ws::error_code code, std::size_t) {
    if (code || self->closed_) {
      self->closed_ = true;
      self->timer_.cancel();
      return;
    }
    const std::string text = beast_ws::buffers_to_string(self->buffer_.data());
    self->buffer_.consume(self->buffer_.size());
    self->eagerUntil_ = std::chrono::steady_clock::now() + kEager;
    self->take(text);
    if (!self->closed_ && self->queue_.size() < kMaxAnswers) self->read();
  });
}

void WebSocket::take(const std::string& text) {
  if (!joined_) {
    if (!sameSecret(text, token_)) {
      close(websocket::close_code::policy_error, "the token is missing or wrong");
      return;
    }
    joined_ = true;
    stream_.set_option(websocket::stream_base::timeout::suggested(beast_ws::role_type::server));
    credit_ = kCredit;
    send({true, session_.join(page_)});
    wait();
    return;
  }
  Value given;
  try {
    JsonReader reader(text);
    given = reader.value();
    reader.end();
    applyMessages(readPageMessage(given));
  } catch (const std::exception& error) {
    send({true, jsonOf(message::Problem{error.what(), numberOf(given)})});
  }
}

void WebSocket::applyMessages(const PageMessage& message) {
  if (std::holds_alternative<message::Drawn>(message)) {
    credit_ = std::min(credit_ + 1, kCredit);
    sendNews();
    return;
  }
  if (std::string reply = session_.answer(page_, message); !reply.empty()) send({true, std::move(reply)});
}

void WebSocket::close(websocket::close_code code, const char* reason) {
  if (closed_) return;
  closed_ = true;
  timer_.cancel();
  stream_.async_close(websocket::close_reason(code, reason), [self = shared_from_this()](beast_ws::error_code) {});
}

void WebSocket::end() { close(websocket::close_code::going_away, "the server ends"); }

void WebSocket::drop() {
  closed_ = true;
  timer_.cancel();
  beast_ws::get_lowest_layer(stream_).close();
}

void WebSocket::send(ViewPacket packet) {
  queue_.push_back(std::move(packet));
  if (!writing_) write();
}

void WebSocket::write() {
  if (queue_.empty() || closed_) return;
  writing_ = true;
  stream_.text(queue_.front().text);
  stream_.async_write(boost::asio::buffer(queue_.front().bytes),
                      [self = shared_from_this()](beast_ws::error_code code, std::size_t) {
                        self->writing_ = false;
                        if (code) {
                          self->closed_ = true;
                          return;
                        }
                        const bool held = self->queue_.size() >= kMaxAnswers;
                        self->queue_.pop_front();
                        if (held && self->queue_.size() < kMaxAnswers) self->read();
                        self->write();
                      });
}

void WebSocket::sendNews() {
  while (credit_ > 0 && queue_.size() < 2) {
    std::optional<ViewPacket> packet = session_.next(page_);
    if (!packet) break;
    if (!packet->text) --credit_;
    send(std::move(*packet));
  }
}

/// Looks for news again and again.
void WebSocket::wait() {
  timer_.expires_after(std::chrono::steady_clock::now() < eagerUntil_ ? kEagerPace : kPace);
  timer_.async_wait([self = shared_from_this()](beast_ws::error_code code) {
    if (code || self->closed_) return;
    self->sendNews();
    self->wait();
  });
}

}  // namespace mortise::viewer
