import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** A line from standard input. On a terminal it is asked for, and what is typed is not shown. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    for await (const line of console) return line;
    return '';
  }
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write('New password (it is not shown): '); // true from here on: the terminal no longer echoes
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new Error('No password was given.')));
      lines.once('SIGINT', () => {
        lines.close(); // and the terminal echoes again
        process.stderr.write('\n');
        process.exit(130);
      });
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
