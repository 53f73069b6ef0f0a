#include "common/contact_text.h"

#include <algorithm>
#include <functional>

#include "common/statements.h"
#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"
#include "mortise/text/suggest.h"

namespace mortise::io {

namespace {

Vector3d readVector3(Cursor& cursor, std::string_view expected) {
  Vector3d v;
  for (double& x : v) x = cursor.finite(expected);
  return v;
}

std::string vectorWords(const Vector3d& v) {
  return formatReal(v[0]) + " " + formatReal(v[1]) + " " + formatReal(v[2]);
}

/// A letter that says what kind of constraint follows.
char readLetter(Cursor& cursor, std::string_view letters, const char* what) {
  cursor.skipSpace();
  Cursor before = cursor;
  const std::string_view word = cursor.word();
  if (word.size() == 1 && letters.find(word[0]) != std::string_view::npos) return word[0];
  std::string list;
  for (const char letter : letters) list += (list.empty() ? "" : ", ") + std::string(1, letter);
  throw Error("expected " + std::string(what) + " (" + list + "), found " +
                  (word.empty() ? "the end of the text" : "'" + std::string(word.substr(0, 40)) + "'"),
              before.position());
}

const std::vector<std::string> kHoldKeys = {"link", "destLink", "contacts", "position", "axis", "rotation", "ikparams"};

/// Blanks what continues a line, so that numbers can be read across; new lines stay, for the positions.
std::string withoutContinuations(std::string text, const std::string& joined) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\\' && joined[i] == ' ') text[i] = ' ';
  return text;
}

/// Reads the lines of holds and stances. Nothing is moved, so that positions stay those of the file.
class BlockReader {
 public:
  BlockReader(const TextFile& original, Diagnostics& diagnostics)
      : joined_(withoutComments(original.text(), true)),
        file_(original.path(), withoutContinuations(withoutComments(original.text(), false), joined_)),
        diagnostics_(diagnostics) {}

  /// The next line that is not empty: its first word and what follows. False at the end.
  bool next() {
    while (at_ < joined_.size()) {
      const std::size_t end = std::min(joined_.find('\n', at_), joined_.size());
      Cursor line(file_, at_, end);
      at_ = std::min(end + 1, joined_.size());
      if (!line.skipSpace()) continue;
      begin_ = line.offset();
      end_ = end;
      return true;
    }
    begin_ = end_ = joined_.size();
    return false;
  }
  Cursor line() const { return Cursor(file_, begin_, end_); }
  std::string_view lineText() const {
    std::string_view all = std::string_view(joined_).substr(begin_, end_ - begin_);
    while (!all.empty() && (all.back() == ' ' || all.back() == '\t' || all.back() == '\r')) all.remove_suffix(1);
    return all;
  }
  SourcePosition position() const { return file_.position(begin_); }

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(
        "expected " + expected + ", found " +
            (begin_ >= file_.text().size() ? "the end of the text" : "'" + std::string(lineText().substr(0, 40)) + "'"),
        position());
  }
  bool begins(std::string_view what) const {
    Cursor words = line();
    return words.word() == "begin" && words.word() == what && !words.skipSpace();
  }
  bool ends() const {
    Cursor words = line();
    return words.word() == "end" && !words.skipSpace();
  }
  void expectBegin(std::string_view what) {
    if (!next() || !begins(what)) fail("'begin " + std::string(what) + "'");
  }
  void expectNothing() {
    if (next()) diagnostics_.warning("what follows 'end' is ignored", position());
  }

  /// From the line after `begin hold` to `end`.
  Hold hold();

 private:
  void assign(Hold& hold, const std::string& key, Cursor values);
  void setUp(Hold& hold, const Vector3d& p_LP, const Vector3d& moment) const;
  void expectEnd(Cursor& values) const {
    if (!values.skipSpace()) return;
    const SourcePosition where = values.position();
    throw Error("expected the end of the line, found '" + std::string(values.word().substr(0, 40)) + "'", where);
  }

  std::string joined_;  ///< Continued lines are one; as long as the file.
  TextFile file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0, begin_ = 0, end_ = 0;
};

Hold BlockReader::hold() {
  const SourcePosition start = position();
  Hold hold;
  std::vector<std::string> seen;
  while (true) {
    if (!next()) fail("'end' of the hold");
    if (ends()) break;
    const std::string_view text = lineText();
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) fail("a line 'key = numbers' or 'end'");
    std::string key(text.substr(0, equals));
    key.erase(std::find_if(key.begin(), key.end(), [](char c) { return c == ' ' || c == '\t'; }), key.end());
    if (std::find(kHoldKeys.begin(), kHoldKeys.end(), key) == kHoldKeys.end())
      throw Error("a hold has no '" + key.substr(0, 40) + "'", position(), didYouMean(key, kHoldKeys));
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      diagnostics_.warning("'" + key + "' is given twice; the last one counts", position());
    seen.push_back(key);
    if (key == "contacts") hold.contacts.clear();
    assign(hold, key, Cursor(file_, begin_ + equals + 1, end_));
  }
  if (hold.link < 0) throw Error("the hold names no link", start, "add a line 'link = INDEX'");
  hold.goal.link = hold.link;
  if (hold.goal.position == IKGoal::Position::free)
    diagnostics_.warning("the hold keeps no point in place; Klamp't does not read it", start,
                         "add a line 'position = local world'");
  return hold;
}

void BlockReader::assign(Hold& hold, const std::string& key, Cursor values) {
  if (key == "link") {
    hold.link = values.integer("the index of a link");
    if (hold.link < 0) throw Error("the index of a link is not negative", position());
  } else if (key == "destLink") {
    hold.goal.destination = values.integer("the index of a link");
  } else if (key == "contacts") {
    while (values.skipSpace()) {
      ContactPoint contact;
      contact.p_WC = readVector3(values, "a coordinate of a contact point");
      contact.n_W = readVector3(values, "a coordinate of a normal");
      contact.friction = values.finite("a coefficient of friction");
      hold.contacts.push_back(contact);
    }
  } else if (key == "position") {
    hold.goal.position = IKGoal::Position::point;
    hold.goal.p_LP = readVector3(values, "a coordinate of the link's point");
    hold.goal.p_DP = readVector3(values, "a coordinate of the point in the world");
  } else if (key == "axis") {
    hold.goal.rotation = IKGoal::Rotation::axis;
    hold.goal.axis_L = readVector3(values, "a coordinate of the link's axis");
    hold.goal.axis_D = readVector3(values, "a coordinate of the axis in the world");
    hold.goal.rotationVector_DL = Vector3d::Zero();
  } else if (key == "rotation") {
    hold.goal.rotation = IKGoal::Rotation::fixed;
    hold.goal.axis_L = hold.goal.axis_D = Vector3d::Zero();
    hold.goal.rotationVector_DL = readVector3(values, "a component of a rotation vector");
  } else {
    const Vector3d p_LP = readVector3(values, "a coordinate of the link's point");
    setUp(hold, p_LP, readVector3(values, "a component of a rotation vector"));
  }
  expectEnd(values);
}

/// The goal that follows from the contacts: one fixes a point, two an axis, more the whole link.
void BlockReader::setUp(Hold& hold, const Vector3d& p_LP, const Vector3d& moment) const {
  if (hold.contacts.empty())
    throw Error("'ikparams' needs contacts before it", position(), "write 'contacts' above 'ikparams'");
  IKGoal& goal = hold.goal;
  goal.position = IKGoal::Position::point;
  goal.p_LP = p_LP;
  goal.p_DP = hold.contacts[0].p_WC;
  goal.rotation = IKGoal::Rotation::free;
  goal.axis_L = goal.axis_D = goal.rotationVector_DL = Vector3d::Zero();
  if (hold.contacts.size() == 2) {
    const Vector3d along = hold.contacts[1].p_WC - hold.contacts[0].p_WC;
    if (along.norm() == 0) return;
    goal.rotation = IKGoal::Rotation::axis;
    goal.axis_D = along.normalized();
    goal.axis_L = rotationFromMoment(moment).transpose() * goal.axis_D;
  } else if (hold.contacts.size() > 2) {
    goal.rotation = IKGoal::Rotation::fixed;
    goal.rotationVector_DL = moment;
  }
}

}  // namespace

IKGoal readGoal(Cursor& cursor) {
  IKGoal goal;
  goal.link = cursor.integer("the index of a link");
  goal.destination = cursor.integer("the index of the link to reach, or -1");
  const char position = readLetter(cursor, "NPLF", "a position constraint");
  if (position != 'N') {
    goal.position = position == 'P'   ? IKGoal::Position::plane
                    : position == 'L' ? IKGoal::Position::line
                                      : IKGoal::Position::point;
    goal.p_LP = readVector3(cursor, "a coordinate of the link's point");
    goal.p_DP = readVector3(cursor, "a coordinate of the point to reach");
    if (position != 'F') goal.direction_D = readVector3(cursor, "a coordinate of a direction");
  }
  const char rotation = readLetter(cursor, "NTAF", "a rotation constraint");
  if (rotation != 'N') {
    goal.rotation = rotation == 'T'   ? IKGoal::Rotation::twoAxis
                    : rotation == 'A' ? IKGoal::Rotation::axis
                                      : IKGoal::Rotation::fixed;
    if (rotation != 'F') goal.axis_L = readVector3(cursor, "a coordinate of the link's axis");
    (rotation == 'F' ? goal.rotationVector_DL : goal.axis_D) = readVector3(cursor, "a component of a rotation");
  }
  return goal;
}

std::string goalText(const IKGoal& goal) {
  std::string text = std::to_string(goal.link) + " " + std::to_string(goal.destination) + "\n";
  text += "NPLF"[static_cast<int>(goal.position)];
  if (goal.position != IKGoal::Position::free) {
    text += " " + vectorWords(goal.p_LP) + "   " + vectorWords(goal.p_DP);
    if (goal.position != IKGoal::Position::point) text += "   " + vectorWords(goal.direction_D);
  }
  text += "\n";
  text += "NTAF"[static_cast<int>(goal.rotation)];
  if (goal.rotation == IKGoal::Rotation::fixed)
    text += " " + vectorWords(goal.rotationVector_DL);
  else if (goal.rotation != IKGoal::Rotation::free)
    text += " " + vectorWords(goal.axis_L) + "   " + vectorWords(goal.axis_D);
  return text + "\n";
}

Hold readHold(const TextFile& file, Diagnostics& diagnostics) {
  BlockReader reader(file, diagnostics);
  reader.expectBegin("hold");
  Hold hold = reader.hold();
  reader.expectNothing();
  return hold;
}

Stance readStance(const TextFile& file, Diagnostics& diagnostics) {
  BlockReader reader(file, diagnostics);
  reader.expectBegin("stance");
  Stance stance;
  while (true) {
    if (!reader.next()) reader.fail("'end' of the stance");
    if (reader.ends()) break;
    if (!reader.begins("hold")) reader.fail("'begin hold' or 'end'");
    const SourcePosition where = reader.position();
    Hold hold = reader.hold();
    const bool known = std::any_of(stance.holds.begin(), stance.holds.end(),
                                   [&](const Hold& other) { return other.link == hold.link; });
    if (known)
      diagnostics.warning("link " + std::to_string(hold.link) + " has a hold already; this one is ignored", where);
    else
      stance.holds.push_back(std::move(hold));
  }
  reader.expectNothing();
  return stance;
}

std::optional<FileContent> blockKind(std::string_view text) {
  const TextFile file({}, std::string(text));
  Cursor cursor(file);
  if (cursor.word() != "begin") return std::nullopt;
  const std::string_view what = cursor.word();
  if (what == "hold") return FileContent::hold;
  return what == "stance" ? std::optional(FileContent::stance) : std::nullopt;
}

std::string holdText(const Hold& hold, Diagnostics& diagnostics) {
  const IKGoal& goal = hold.goal;
  if (goal.position == IKGoal::Position::plane || goal.position == IKGoal::Position::line)
    throw Error(
        "the text of a hold keeps points in place, not on a line or plane (link " + std::to_string(hold.link) + ")", {},
        "write it as JSON, or its goal as .ikgoal");
  if (goal.rotation == IKGoal::Rotation::twoAxis)
    throw Error("the text of a hold has no two-axis rotation (link " + std::to_string(hold.link) + ")", {},
                "write it as JSON, or its goal as .ikgoal");
  if (hold.link < 0) throw Error("a hold without a link cannot be written");
  if (goal.link != hold.link)
    diagnostics.warning("the goal of the hold on link " + std::to_string(hold.link) + " is for link " +
                        std::to_string(goal.link) + ", which the text of a hold does not say");
  if (goal.position == IKGoal::Position::free)
    diagnostics.warning("the hold on link " + std::to_string(hold.link) +
                        " keeps no point in place; Klamp't will not read it");
  std::string text = "begin hold\nlink = " + std::to_string(hold.link) + "\n";
  if (goal.destination >= 0) text += "destLink = " + std::to_string(goal.destination) + "\n";
  text += "contacts = ";
  for (std::size_t i = 0; i < hold.contacts.size(); ++i) {
    const ContactPoint& contact = hold.contacts[i];
    if (i > 0) text += "  \\\n           ";
    text += vectorWords(contact.p_WC) + "\t\t" + vectorWords(contact.n_W) + "\t\t" + formatReal(contact.friction);
  }
  text += "\n";
  if (goal.position == IKGoal::Position::point)
    text += "position = " + vectorWords(goal.p_LP) + "  \\\n           " + vectorWords(goal.p_DP) + "\n";
  if (goal.rotation == IKGoal::Rotation::axis)
    text += "axis = " + vectorWords(goal.axis_L) + "  \\\n       " + vectorWords(goal.axis_D) + "\n";
  if (goal.rotation == IKGoal::Rotation::fixed) text += "rotation = " + vectorWords(goal.rotationVector_DL) + "\n";
  return text + "end\n";
}

std::string stanceText(const Stance& stance, Diagnostics& diagnostics) {
  std::string text = "begin stance\n";
  for (const Hold& hold : stance.holds) text += holdText(hold, diagnostics);
  return text + "end\n";
}

}  // namespace mortise::io
