#include "client_connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace mortise::controllers_serial {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kChunk = 16 * 1024;
/// Answers that a client may leave unread before its next messages have to wait.
constexpr std::size_t kMaxReplies = 64;

std::string nameOf(const ClientConnection::Socket& socket) {
  error_code code;
  const auto endpoint = socket.remote_endpoint(code);
  return code ? "a client" : endpoint.address().to_string() + ":" + std::to_string(endpoint.port());
}

}  // namespace

ClientConnection::ClientConnection(Socket socket, ClientId id, const ServerOptions& options, Mailbox& mailbox,
                                   std::function<void(ClientConnection&)> onEnd)
    : socket_(std::move(socket)),
      id_(id),
      options_(options),
      mailbox_(mailbox),
      onEnd_(std::move(onEnd)),
      name_(nameOf(socket_)),
      frames_(options.maxMessageSize) {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  // A machine that went away without a word is found out in half a minute.
  socket_.set_option(asio::socket_base::keep_alive(true), ignored);
#ifdef TCP_KEEPIDLE
  using KeepIdle = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPIDLE>;
  using KeepInterval = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPINTVL>;
  using KeepCount = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_KEEPCNT>;
  socket_.set_option(KeepIdle(15), ignored);
  socket_.set_option(KeepInterval(5), ignored);
  socket_.set_option(KeepCount(3), ignored);
#endif
}

void ClientConnection::begin() {
  received_ = messageBegan_ = writeBegan_ = Clock::now();
  read();
}

void ClientConnection::reply(std::string frame) {
  if (closed_ || shut_) return;
  replies_.push_back(std::move(frame));
  write();
}

void ClientConnection::replyError(std::string_view code, std::string_view message) {
  std::string frame;
  const std::size_t begin = remote::beginFrame(frame);
  remote::appendErrorMessage(frame, code, message);
  remote::endFrame(frame, begin);
  reply(std::move(frame));
}

void ClientConnection::pump() {
  if (closed_) return;
  write();
  if (reading_) return;
  if (!dismissed_) messageBegan_ = Clock::now();  // The time it had to wait is not the client's.
  process();
}

void ClientConnection::read() {
  if (reading_ || closed_) return;
  reading_ = true;
  const std::span<char> room = frames_.prepare(kChunk);
  const auto onRead = [self = shared_from_this()](error_code code, std::size_t size) {
    self->reading_ = false;
    if (self->closed_) return;
    if (code) {
      self->end(code == asio::error::eof ? "left" : "was lost: " + code.message());
      self->close();
      return;
    }
    self->received_ = Clock::now();
    if (!self->frames_.insideMessage()) self->messageBegan_ = self->received_;
    self->frames_.commit(size);
    self->process();
  };
  socket_.async_read_some(asio::buffer(room.data(), room.size()), withMemory(readMemory_, onRead));
}

void ClientConnection::process() {
  if (dismissed_) {
    frames_.clear();
    read();
    return;
  }
  while (!closed_) {
    if (full_) {
      if (!mailbox_.putCommand(id_, command_)) return;
      full_ = false;
    }
    if (replies_.size() >= kMaxReplies) return;
    const auto text = frames_.next();
    if (!text) break;
    messageBegan_ = received_;
    if (!handle(*text)) return;
  }
  if (frames_.broken()) {
    replyError("too_large", "a message of " + std::to_string(frames_.announced()) + " bytes is longer than " +
                                std::to_string(options_.maxMessageSize) + "; the connection is closed");
    dismiss("sent a message that is too large");
    return;
  }
  read();
}

bool ClientConnection::handle(std::string_view text) {
  if (text.empty()) return true;
  if (!drives_) {
    replyError("busy", "another client drives this robot; this one drives when those before it have left");
    return true;
  }
  try {
    remote::readCommand(text, options_.numLinks, options_.numDrivers, command_);
  } catch (const remote::MessageError& error) {
    replyError(error.code(), error.message());
    return true;
  }
  full_ = !mailbox_.putCommand(id_, command_);
  return !full_;
}

void ClientConnection::write() {
  if (writes_ || closed_ || shut_) return;
  if (!replies_.empty()) {
    writing_ = std::move(replies_.front());
    replies_.pop_front();
  } else if (dismissed_) {
    // The client reads the answer before it learns that this is the end.
    shut_ = true;
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    return;
  } else if (!drives_ || !mailbox_.takeReport(id_, writing_)) {
    return;
  }
  writes_ = true;
  writeBegan_ = Clock::now();
  const auto onWritten = [self = shared_from_this()](error_code code, std::size_t) {
    self->writes_ = false;
    if (self->closed_) return;
    if (code) {
      self->end("was lost: " + code.message());
      self->close();
      return;
    }
    self->pump();
  };
  asio::async_write(socket_, asio::buffer(writing_), withMemory(writeMemory_, onWritten));
}

void ClientConnection::dismiss(std::string reason) {
  if (dismissed_ || closed_) return;
  dismissed_ = true;
  frames_.clear();
  full_ = false;
  messageBegan_ = writeBegan_ = Clock::now();
  end(std::move(reason));
  pump();
}

void ClientConnection::checkTime(Clock::time_point now) {
  const auto late = [&](Clock::time_point since) {
    return std::chrono::duration<double>(now - since).count() > options_.timeout;
  };
  if (closed_) return;
  if (dismissed_) {
    if (late(messageBegan_)) close();
  } else if (reading_ && frames_.insideMessage() && late(messageBegan_)) {
    replyError("timeout", "a message was begun and not finished; the connection is closed");
    dismiss("did not finish a message in time");
  } else if (writes_ && late(writeBegan_) && late(received_)) {
    end("takes nothing and says nothing");
    close();
  }
}

void ClientConnection::end(std::string reason) {
  if (ended_) return;
  ended_ = true;
  reason_ = std::move(reason);
  onEnd_(*this);
}

void ClientConnection::close() {
  if (closed_) return;
  closed_ = true;
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace mortise::controllers_serial
