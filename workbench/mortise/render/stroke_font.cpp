#include "mortise/render/stroke_font.h"

#include <cstdint>

namespace mortise::render {

namespace {

/// Corners of a glyph's lines, column and row: letters stand on row 2 and are 6 rows high, small ones 4. A blank lifts
/// the pen.
struct Glyph {
  char letter;
  const char* lines;
};

constexpr Glyph kGlyphs[] = {{' ', ""},
                             {'A', "022842 1434"},
                             {'B', "02083847463505 3544433202"},
                             {'C', "4738180703123243"},
                             {'D', "02082847432202"},
                             {'E', "48080242 0535"},
                             {'F', "480802 0535"},
                             {'G', "47381807031232434525"},
                             {'H', "0208 4248 0545"},
                             {'I', "2228 1232 1838"},
                             {'J', "4843321203"},
                             {'K', "0208 480542"},
                             {'L', "080242"},
                             {'M', "0208254842"},
                             {'N', "02084248"},
                             {'O', "183847433212030718"},
                             {'P', "02083847463505"},
                             {'Q', "183847433212030718 2442"},
                             {'R', "02083847463505 2542"},
                             {'S', "473818070615354443321203"},
                             {'T', "0848 2822"},
                             {'U', "080312324348"},
                             {'V', "082248"},
                             {'W', "0812253248"},
                             {'X', "0248 0842"},
                             {'Y', "082548 2522"},
                             {'Z', "08480242"},
                             {'a', "16364542 441403123243"},
                             {'b', "0802 0516364543321203"},
                             {'c', "4536160503123243"},
                             {'d', "4842 4536160503123243"},
                             {'e', "04444536160503123243"},
                             {'f', "38281712 0626"},
                             {'g', "46413010 4536160503123243"},
                             {'h', "0802 0516364542"},
                             {'i', "2622 2828"},
                             {'j', "26211000 2828"},
                             {'k', "0802 3603 1432"},
                             {'l', "2822"},
                             {'m', "0206 05162522 25364542"},
                             {'n', "0206 0516364542"},
                             {'o', "163645433212030516"},
                             {'p', "0600 0516364543321203"},
                             {'q', "4640 4536160503123243"},
                             {'r', "0206 051636"},
                             {'s', "45361605143443321203"},
                             {'t', "18132232 0636"},
                             {'u', "0603123243 4642"},
                             {'v', "062246"},
                             {'w', "0612253246"},
                             {'x', "0642 0246"},
                             {'y', "0622 4610"},
                             {'z', "06460242"},
                             {'0', "183847433212030718 1337"},
                             {'1', "162822"},
                             {'2', "07183847460242"},
                             {'3', "0718384746354443321203 1535"},
                             {'4', "32380444"},
                             {'5', "480805354443321203"},
                             {'6', "473818070312324344351504"},
                             {'7', "084822"},
                             {'8', "15060718384746351504031232434435"},
                             {'9', "463515060718384743321203"},
                             {'_', "0141"},
                             {'-', "1535"},
                             {'+', "0545 2723"},
                             {'.', "2222"},
                             {',', "2211"},
                             {':', "2525 2222"},
                             {'/', "0148"},
                             {'[', "38181131"},
                             {']', "18383111"},
                             {'(', "38272331"},
                             {')', "18272311"},
                             {'=', "0646 0444"},
                             {'#', "1218 3238 0646 0444"}};

constexpr const char* kUnknown = "0208484202";
constexpr double kRows = 6, kBaseline = 2, kAdvance = 6, kLastColumn = 4;

const char* linesOf(char letter) {
  for (const Glyph& glyph : kGlyphs)
    if (glyph.letter == letter) return glyph.lines;
  return kUnknown;
}

}  // namespace

WrittenWords writtenWords(std::string_view utf8) {
  WrittenWords words;
  double column = 0;
  for (const char letter : utf8) {
    // Further bytes of a letter beyond ASCII: its first one has drawn the box.
    if ((static_cast<std::uint8_t>(letter) & 0xc0) == 0x80) continue;
    bool down = false;
    for (const char* at = linesOf(letter); *at != '\0';) {
      if (*at == ' ') {
        down = false;
        ++at;
        continue;
      }
      if (!down) words.strokes.emplace_back();
      down = true;
      words.strokes.back().emplace_back((column + (at[0] - '0')) / kRows, (at[1] - '0' - kBaseline) / kRows);
      at += 2;
    }
    column += kAdvance;
  }
  if (column > 0) words.width = (column - kAdvance + kLastColumn) / kRows;
  return words;
}

}  // namespace mortise::render
