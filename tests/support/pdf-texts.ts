import { inflateSync } from 'node:zlib';

/** A run of text of a PDF: its page, and where it begins, in points from the left and the bottom of the paper. */
export type PdfText = { page: number; x: number; y: number; text: string };

type Matrix = [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const OPERATION = /((?:-?[\d.]+ +)*)(q|Q|cm|Tm|Td|BT)\b|\/(F\d+) [\d.]+ Tf|<([\dA-F]*)> Tj/g;

/** Reads the texts of a PDF that Chromium printed. It knows no more of the format than these files contain. */
export function readPdfTexts(pdf: Uint8Array): PdfText[] {
  const file = Buffer.from(pdf).toString('latin1');
  const objects = new Map(
    [...file.matchAll(/(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, id = '', body = '']) => [id, body]),
  );
  const find = (id = '') => objects.get(id) ?? '';
  const letters = new Map<string, Map<string, string>>();
  const lettersOf = (font: string) => {
    const known = letters.get(font);
    if (known) return known;
    const [, map] = /\/ToUnicode (\d+) 0 R/.exec(find(font.slice(1))) ?? [];
    const made = readLetters(streamOf(find(map)));
    letters.set(font, made);
    return made;
  };
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body));
  return pages.flatMap((body, page) => {
    const [, contents] = /\/Contents (\d+) 0 R/.exec(body) ?? [];
    return readRuns(streamOf(find(contents)), lettersOf).map((run) => ({ page, ...run }));
  });
}

function streamOf(body: string): string {
  const start = body.indexOf('stream\n') + 'stream\n'.length;
  return inflateSync(Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1')).toString(
    'latin1',
  );
}

/** Reads which letter each glyph of a font is. */
function readLetters(map: string): Map<string, string> {
  const letters = new Map<string, string>();
  for (const [, block = ''] of map.matchAll(/beginbfchar\n(.*?)endbfchar/gs))
    for (const [, glyph = '', code = ''] of block.matchAll(/<(\w+)> <(\w+)>/g))
      letters.set(glyph, toText(code));
  for (const [, block = ''] of map.matchAll(/beginbfrange\n(.*?)endbfrange/gs))
    for (const [, first = '', last = '', code = ''] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g))
      for (let step = 0; step <= Number.parseInt(last, 16) - Number.parseInt(first, 16); step += 1)
        letters.set(
          toHex(Number.parseInt(first, 16) + step),
          toText(toHex(Number.parseInt(code, 16) + step)),
        );
  return letters;
}

const toHex = (code: number) => code.toString(16).toUpperCase().padStart(4, '0');
const toText = (code: string) => String.fromCharCode(Number.parseInt(code, 16));

function readRuns(content: string, lettersOf: (font: string) => Map<string, string>) {
  const runs: { x: number; y: number; text: string }[] = [];
  const kept: Matrix[] = [];
  let matrix = IDENTITY;
  let own = IDENTITY;
  let font = '';
  let isNew = true;
  for (const [, operands = '', operation, named, glyphs] of content.matchAll(OPERATION)) {
    const numbers = operands.trim().split(/ +/).map(Number);
    if (named) font = named;
    else if (glyphs !== undefined) {
      const text = (glyphs.match(/.{4}/g) ?? []).map((glyph) => lettersOf(font).get(glyph) ?? '').join('');
      const [, , , , x, y] = multiply(own, matrix);
      const last = runs.at(-1);
      if (isNew || !last) runs.push({ x, y, text });
      else last.text += text;
      isNew = false;
    } else if (operation === 'q') kept.push(matrix);
    else if (operation === 'Q') matrix = kept.pop() ?? IDENTITY;
    else if (operation === 'cm')
      matrix = multiply(numbers as Matrix, matrix); // its six operands
    else if (operation === 'Tm')
      own = numbers as Matrix; // as many
    else if (operation === 'BT') isNew = true;
  }
  return runs;
}

function multiply([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}
