/** Why a script from `origin` may not work on the website `domain`; undefined when it works. */
export function addressNote(origin: string, domain: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  if (isLocal(hostname) && !isLocal(new URL(domain).hostname))
    return `${origin} can only be reached from this machine. Open this page at the server's public address, and the script will use that address.`;
  if (protocol === 'http:' && domain.toLowerCase().startsWith('https:'))
    return 'Browsers do not load an http script into an https page. Serve Pagemeter over https, and open this page there.';
  return undefined;
}

const isLocal = (name: string) => name === 'localhost' || name === '[::1]' || name.startsWith('127.');
