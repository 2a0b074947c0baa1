import { createPicker, type Picker, zipfWeights } from './picker.ts';

/** The pages of one website, by how often they are read. */
export type Site = {
  /** Index of a page. Entry pages are picked from the same pages, the first ones more often. */
  pickPage: Picker;
  pickEntry: Picker;
  /** Full address of a page on a host. */
  urlOf(host: number, page: number): string;
  /** Share of the hosts: the domain itself, with www, and a second one. */
  pickHost: Picker;
};

const HOST_WEIGHTS = [91, 6, 3];
const FIRST_PAGES = ['/', '/pricing', '/features', '/docs', '/blog', '/signup', '/about', '/download'];
const TOPICS = ['privacy', 'sqlite', 'cookies', 'release', 'guide', 'tracking', 'performance', 'gdpr'];
const WORDS = ['explained', 'in-practice', 'for-teams', 'at-scale', 'checklist', 'by-example', 'compared'];
const SECTIONS = ['install', 'api', 'events', 'dashboard', 'backup', 'filters'];
/** Zipf exponents as measured on websites: close to 1; visits begin on fewer pages than they read. */
const PAGE_EXPONENT = 0.95;
const ENTRY_EXPONENT = 1.15;

export function createSite(domain: string, pageCount: number): Site {
  const paths = Array.from({ length: pageCount }, (_, index) => toPath(index));
  const hosts = [domain, `www.${domain}`, `docs.${domain}`];
  const urls = hosts.map((host) => paths.map((path) => `https://${host}${path}`));
  return {
    pickPage: createPicker(zipfWeights(pageCount, PAGE_EXPONENT)),
    pickEntry: createPicker(zipfWeights(pageCount, ENTRY_EXPONENT)),
    // Hosts and pages come from the pickers, which stay within these lists.
    urlOf: (host, page) => urls[host]?.[page] as string,
    pickHost: createPicker(HOST_WEIGHTS),
  };
}

function toPath(index: number): string {
  const first = FIRST_PAGES[index];
  if (first !== undefined) return first;
  const topic = TOPICS[index % TOPICS.length];
  const word = WORDS[index % WORDS.length];
  if (index % 3 === 0) return `/docs/${SECTIONS[index % SECTIONS.length]}/${topic}-${index}`;
  if (index % 3 === 1) return `/blog/${topic}-${word}-${index}`;
  return `/products/${index}-${topic}-${word}`;
}
