import { description, version } from '../package.json';
import { toCommandHelp } from './command-pages.ts';

const INTRODUCTION = `Without a command it serves the dashboard, the API and the script that pages load. It needs no settings;
\\fBpagemeter settings\\fR lists what may be set by environment variables.`;

/** pagemeter(1), made of the program's own help. */
export function toManPage(): string {
  const commands = toCommandHelp().map(
    ({ name, text }) => `.SS pagemeter ${name}\n.nf\n${toRoff(text)}\n.fi`,
  );
  return `.TH PAGEMETER 1 "" "Pagemeter ${version}" "User Commands"
.SH NAME
pagemeter \\- ${toRoff(description.replace(/\.$/, ''))}
.SH SYNOPSIS
.B pagemeter
[\\fICOMMAND\\fR]
.SH DESCRIPTION
${INTRODUCTION}
.SH COMMANDS
${commands.join('\n')}
.SH EXIT STATUS
0 when it is done, 1 when it failed, 2 for invalid arguments, 78 for invalid settings, 130 after Ctrl\\-C.
.SH FILES
.TP
.I /etc/pagemeter/pagemeter.env
settings of the service, which commands read as well
.TP
.I /var/lib/pagemeter
the database, the secret and the backups
`;
}

/** A backslash begins a request within a line; a dot or a quote does so at its beginning. */
function toRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}
