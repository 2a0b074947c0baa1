import type { Command } from 'commander';

/** Words that may follow a command: its subcommands, and all words with their descriptions. */
type Candidates = { path: string[]; commands: string[]; described: [string, string][] };

const SCRIPTS = { bash: toBash, zsh: toZsh, fish: toFish };
export type Shell = keyof typeof SCRIPTS;

/** A script that makes a shell complete the commands and options of a program. */
export function toCompletion(program: Command, shell: Shell): string {
  return SCRIPTS[shell](program.name(), toCandidates(program, []));
}

function toCandidates(command: Command, path: string[]): Candidates[] {
  // `help` explains its sibling commands.
  const named = command.name() === 'help' ? (command.parent?.commands ?? []) : command.commands;
  const described: [string, string][] = [
    ...named.map((sub): [string, string] => [sub.name(), sub.description()]),
    ...command.registeredArguments.flatMap(({ argChoices }) =>
      (argChoices ?? []).map((choice): [string, string] => [choice, '']),
    ),
    ...command.options.map((option): [string, string] => [option.long ?? '', option.description]),
    ['--help', 'explain a command'],
  ];
  return [
    { path, commands: command.commands.map((sub) => sub.name()), described },
    ...command.commands.flatMap((sub) => toCandidates(sub, [...path, sub.name()])),
  ];
}

/** Writes the script for bash. If no word fits, it offers files: a backup, a directory. */
function toBash(name: string, candidates: Candidates[]): string {
  return `_${name}() {
  local word offered= line=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${followLine(candidates)}
  done
${offerAfterLine(candidates)}
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}`;
}

function toZsh(name: string, candidates: Candidates[]): string {
  return `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
_${name}() {
  local word offered= line=
  for word in "\${(@)words[2,CURRENT-1]}"; do
${followLine(candidates)}
  done
${offerAfterLine(candidates)}
  compadd -- \${=offered} || _files
}
compdef _${name} ${name}`;
}

/** Script for bash and zsh that finds the commands among the words before the cursor. */
function followLine(candidates: Candidates[]): string {
  const lines = candidates.map(({ path }) => path.join(' ')).join('|');
  return `    [[ '|${lines}|' == *"|$line\${line:+ }$word|"* ]] && line+="\${line:+ }$word"`;
}

function offerAfterLine(candidates: Candidates[]): string {
  const cases = candidates.map(
    ({ path, described }) =>
      `    '${path.join(' ')}') offered='${described.map(([word]) => word).join(' ')}' ;;`,
  );
  return `  case "$line" in\n${cases.join('\n')}\n  esac`;
}

function toFish(name: string, candidates: Candidates[]): string {
  const lines = candidates.flatMap(({ path, described, commands }) => {
    const before = path.map((word) => `__fish_seen_subcommand_from ${word}; and `).join('');
    const isPlace = commands.length > 0 ? `not __fish_seen_subcommand_from ${commands.join(' ')}` : 'true';
    return described.map(
      ([word, sentence]) =>
        `complete -c ${name} -n '${before}${isPlace}' -a '${word}' -d '${sentence.replaceAll("'", '’')}'`,
    );
  });
  return lines.join('\n');
}
