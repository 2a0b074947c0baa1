/** Content Security Policy: the part of CSP 3 that decides about one script and one request. */

type LoadedFile = { url: URL; page: URL; nonce?: string | null };

/** The first of these that a policy names decides (CSP 3, 6.8.3). */
const DIRECTIVES = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  connect: ['connect-src', 'default-src'],
} as const;

/**
 * Whether every policy lets the request through. Hashes are not looked at: a script that changes with an update of the
 * service cannot be allowed by one.
 *
 * @param policies the values of the headers and of the meta elements
 */
export function isAllowed(
  policies: readonly string[],
  kind: keyof typeof DIRECTIVES,
  { url, page, nonce }: LoadedFile,
): boolean {
  return policies.flatMap((text) => text.split(',')).every((policy) => allows(policy));

  function allows(policy: string): boolean {
    const sources = findSources(policy, DIRECTIVES[kind]);
    if (!sources) return true;
    if (kind === 'script') {
      if (nonce && sources.includes(`'nonce-${nonce}'`)) return true;
      if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false;
    }
    return sources.some((source) => matches(source, url, page));
  }
}

function findSources(policy: string, names: readonly string[]): string[] | undefined {
  const directives = new Map<string, string[]>();
  for (const text of policy.split(';')) {
    const [name = '', ...sources] = text.trim().split(/\s+/);
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources); // the first one counts
  }
  const name = names.find((one) => directives.has(one));
  return name === undefined ? undefined : directives.get(name);
}

const SOURCE = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9._-]+)(?::(\d+|\*))?(\/.*)?$/i;

function matches(source: string, url: URL, page: URL): boolean {
  const text = source.toLowerCase();
  if (text === "'self'") return url.origin === page.origin || isUpgradeOf(page, url);
  if (text === '*') return true; // matches network schemes; no others occur here
  if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return isScheme(text, url.protocol);
  const [, scheme, host = '', port, path] = SOURCE.exec(source) ?? [];
  if (host === '') return false;
  if (!isScheme(scheme === undefined ? page.protocol : `${scheme.toLowerCase()}:`, url.protocol))
    return false;
  return isHost(host.toLowerCase(), url.hostname) && isPort(port, url) && isPath(path, url.pathname);
}

/** A policy for http lets https through as well. */
function isScheme(allowed: string, asked: string): boolean {
  return allowed === asked || (allowed === 'http:' && asked === 'https:');
}

function isUpgradeOf(page: URL, url: URL): boolean {
  return (
    page.protocol === 'http:' && url.protocol === 'https:' && page.hostname === url.hostname && !url.port
  );
}

function isHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function isPort(pattern: string | undefined, url: URL): boolean {
  if (pattern === '*') return true;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (pattern === undefined) return url.port === '';
  return pattern === port || (pattern === '80' && port === '443');
}

function isPath(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined || pattern === '/') return true;
  return pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern;
}
