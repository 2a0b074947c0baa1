/** Why a script from `origin` may not work on the website `domain`; undefined when nothing is in the way. */
export function addressNote(origin: string, domain: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  if (isLocal(hostname) && !isLocal(new URL(domain).hostname))
    return `${origin} is reached from this machine only. Open this page under the public address of the server, and the script will carry that one.`;
  if (protocol === 'http:' && domain.toLowerCase().startsWith('https:'))
    return 'Browsers do not load a script over http into a page over https. Put this server behind https, and open this page there.';
  return undefined;
}

const isLocal = (name: string) => name === 'localhost' || name === '[::1]' || name.startsWith('127.');
