#include "command_line/completion.h"

namespace mortise::app {

namespace {

// COMP_WORDS is split at '=' and ':' as well; words that no blank parts belong together. What bash replaces is only
// what follows the last of these characters, so everything before it is taken off the candidates.
constexpr const char* kBash = R"SCRIPT(# Completion of mortise for bash: asks the program itself.
_mortise() {
  local line=$COMP_LINE words=() word i
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((i > 0)) && [[ $line != [[:space:]]* ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    line=${line#"${line%%[![:space:]]*}"}
    line=${line#"$word"}
  done
  local current=${words[${#words[@]} - 1]} breaks=${COMP_WORDBREAKS//[!=:]/} head= candidate description
  [[ -n $breaks ]] && head=${current%"${current##*[$breaks]}"}
  local part=${current#"$head"} file
  COMPREPLY=()
  while IFS=$'\t' read -r candidate description; do
    case $candidate in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        local kind=-f
        [[ $candidate == :folders ]] && kind=-d
        while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen "$kind" -- "$part")
        ;;
      *) COMPREPLY+=("${candidate#"$head"}") ;;
    esac
  done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _mortise mortise
)SCRIPT";

constexpr const char* kZsh = R"SCRIPT(#compdef mortise
# Completion of mortise for zsh: asks the program itself.
_mortise() {
  local candidate description files
  local -a candidates
  while IFS=$'\t' read -r candidate description; do
    case $candidate in
      :files | :folders) files=$candidate ;;
      *) candidates+=("${candidate//:/\\:}${description:+:$description}") ;;
    esac
  done < <("${(Q)words[1]/#\~/$HOME}" complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
  (( $#candidates )) && _describe -t values mortise candidates
  if [[ -n $files ]]; then
    [[ $PREFIX == --*=* ]] && compset -P '*='
    if [[ $files == :folders ]]; then _files -/; else _files; fi
  fi
}
if [[ ${funcstack[1]} == _mortise ]]; then _mortise "$@"; else compdef _mortise mortise; fi
)SCRIPT";

constexpr const char* kFish = R"SCRIPT(# Completion of mortise for fish: asks the program itself.
function __mortise_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l head (string match -r -- '^--[^=]*=' $current)
    or set head ''
    for line in (command $program complete -- $words $current 2>/dev/null)
        switch $line
            case :files
                for file in (__fish_complete_path (string replace -- "$head" '' $current))
                    echo $head$file
                end
            case :folders
                for folder in (__fish_complete_directories (string replace -- "$head" '' $current) '')
                    echo $head$folder
                end
            case '*'
                echo $line
        end
    end
end
complete -c mortise -f -a '(__mortise_complete)'
)SCRIPT";

}  // namespace

std::string completionScript(const std::string& shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  return {};
}

}  // namespace mortise::app
