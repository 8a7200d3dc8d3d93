/** A command in the tree, and what may be typed after it. */
export interface CompletionNode {
  readonly words: readonly string[];
  readonly children: readonly { readonly word: string; readonly about: string }[];
  readonly options: readonly {
    readonly name: string;
    readonly about: string;
    readonly values: readonly string[];
    readonly takesValue: boolean;
  }[];
}

/** For bash: one function that looks the typed words up. Files are offered where there is nothing else. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  const cases = nodes.map(({ words, children, options }) => {
    const following = [...children.map(({ word }) => word), ...options.map(({ name }) => `--${name}`)].join(' ');
    return `    "${words.join(' ')}") offered="${following}" ;;`;
  });
  const values = nodes.flatMap(({ words, options }) =>
    options
      .filter((option) => option.values.length > 0)
      .map(({ name, values }) => `    "${words.join(' ')} --${name}") offered="${values.join(' ')}" ;;`),
  );
  return `# horae completion for bash
_horae() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path="" offered="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case " ${paths(nodes)} " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;; esac
  done
  path="\${path//\\// }"
  case "$path $before" in
${values.join('\n')}
    *) case "$path" in
${cases.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _horae horae
`;
}

/** For zsh: the same lookup with descriptions. */
export function zshScript(nodes: readonly CompletionNode[]): string {
  const cases = nodes.map(({ words, children, options }) => {
    const lines = [
      ...children.map(({ word, about }) => `${word}:${about}`),
      ...options.map(({ name, about }) => `--${name}:${about}`),
    ].map((line) => `        ${quoted(line)}`);
    return `    ${quoted(words.join(' '))})\n      offered=(\n${lines.join('\n')}\n      ) ;;`;
  });
  return `#compdef horae
_horae() {
  local word at="" ; local -a offered
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    case "$word" in -*) ;; *) case ${quoted(` ${paths(nodes)} `)} in *" \${at:+$at/}$word "*) at="\${at:+$at/}$word" ;; esac ;; esac
  done
  case "\${at//\\// }" in
${cases.join('\n')}
  esac
  _describe 'horae' offered || _files
}
if [ "$funcstack[1]" = "_horae" ]; then _horae "$@"; else compdef _horae horae; fi
`;
}

/** For fish: one line per word that can be typed. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap(({ words, children, options }) => {
    const condition = fishCondition(words, children);
    return [
      ...children.map(({ word, about }) => `complete -c horae -f -n ${condition} -a ${word} -d ${quoted(about)}`),
      ...options.map(({ name, about, values, takesValue }) => {
        const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c horae -n ${condition} -l ${name}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  return `# horae completion for fish\n${lines.join('\n')}\n`;
}

function fishCondition(words: readonly string[], children: CompletionNode['children']): string {
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const unseen = children.map(({ word }) => word).join(' ');
  const parts = unseen === '' ? seen : [...seen, `not __fish_seen_subcommand_from ${unseen}`];
  return quoted(parts.join('; and '));
}

function paths(nodes: readonly CompletionNode[]): string {
  return nodes
    .map(({ words }) => words.join('/'))
    .join(' ')
    .trim();
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
