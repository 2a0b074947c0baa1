/** Written in when the service serves the script: relative to its address (src/http/path.ts). */
declare const COLLECT_PATH: string;

/**
 * Where events are posted. One event goes to the address as it was given; several go to the same
 * address with `/batch` behind its path and the query kept, so that one prefix rule of a proxy covers both.
 * Without an address it is the service that served the script. Throws when the address is none. A page that was opened
 * with a user name and password gives them to its relative addresses, such as that of the script; `fetch` refuses them.
 */
export const endpoint = (apiUrl: string, scriptUrl: string, pageUrl: string, isBatch?: boolean): string => {
  const url = new URL(apiUrl || COLLECT_PATH, apiUrl ? pageUrl : scriptUrl);
  url.pathname = url.pathname.replace(isBatch ? /(\/batch)?\/?$/ : /\/batch\/?$/, isBatch ? '/batch' : '');
  return url.href.replace(/\/\/[^/?#]+@/, '//');
};
