import { describe, expect, test } from 'bun:test';
import { AppError } from '../../src/vocabulary/errors.ts';
import { toDomainKey } from '../../src/websites/domain.ts';

/** Domains of one line are the same to one account; domains of two lines are not. */
const CLASSES: string[][] = [
  [
    'https://example.com',
    'http://example.com',
    'https://example.com/',
    'https://www.example.com',
    'http://WWW.Example.COM/',
    'HTTPS://example.com:443',
    'http://example.com:80/',
    'https://example.com/?utm_source=x',
    'https://example.com/#top',
    'https://someone@example.com',
  ],
  ['http://example.com:443', 'http://www.example.com:443/'],
  ['https://example.com:80'],
  ['https://example.com:8443', 'http://example.com:8443/'],
  ['https://example.com/blog', 'http://www.example.com/blog/', 'https://example.com/blog/?a#b'],
  ['https://example.com/Blog'],
  ['https://example.com/blog/de'],
  ['https://blog.example.com', 'http://www.blog.example.com'],
  ['https://www2.example.com'],
  ['https://wwwexample.com'],
  ['https://www.www.example.com'],
  ['https://bücher.example', 'https://xn--bcher-kva.example', 'https://BÜCHER.example'],
  ['http://localhost', 'https://localhost'],
  ['http://localhost:3000'],
  ['http://[::1]:3000', 'http://[0:0:0:0:0:0:0:1]:3000/'],
  ['http://127.0.0.1', 'http://0x7f.1'],
];
const lines = CLASSES.map((domains, index) => [index, domains] as const);

describe('the domains of one account', () => {
  test.each(lines)('are one domain (line %d)', (_, domains) => {
    expect(new Set(domains.map(toDomainKey)).size).toBe(1);
  });

  test('are others when host, port or path differ', () => {
    expect(new Set(CLASSES.flat().map(toDomainKey)).size).toBe(CLASSES.length);
  });

  test.each([
    '',
    ' ',
    'example.com',
    'http://',
    'http:///a',
    'ftp://a.b',
    'https://a b',
    'https://a:b',
    'https://%',
  ])('are refused when they are not web addresses: %j', (domain) => {
    const refusal = refusalOf(() => toDomainKey(domain));
    expect(refusal).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { formErrors: [], fieldErrors: { domain: ['Invalid domain URL'] } },
    });
  });
});

function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  return undefined;
}
