import type { Command } from 'commander';

/** What may follow a command: the commands below it, all words with what they do. */
type Candidates = { path: string[]; commands: string[]; described: [string, string][] };

/** A script that makes a shell complete the commands and options of a program. */
export function toCompletion(program: Command, shell: string): string {
  const candidates = toCandidates(program, []);
  if (shell === 'fish') return toFish(program.name(), candidates);
  const bash = toBash(program.name(), candidates);
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash;
}

function toCandidates(command: Command, path: string[]): Candidates[] {
  const described: [string, string][] = [
    ...command.commands.map((sub): [string, string] => [sub.name(), sub.description()]),
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

/** Where no word fits, files are offered: a backup, a directory. */
function toBash(name: string, candidates: Candidates[]): string {
  const cases = candidates.map(
    ({ path, described }) =>
      `    '${path.join(' ')}') words='${described.map(([word]) => word).join(' ')}' ;;`,
  );
  const commands = `|${candidates.map(({ path }) => path.join(' ')).join('|')}|`;
  return `_${name}() {
  local word words= line= commands='${commands}'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $commands == *"|$line\${line:+ }$word|"* ]] && line+="\${line:+ }$word" # else it is an argument or an option
  done
  case "$line" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}`;
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
