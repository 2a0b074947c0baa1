import { useEffect, useState } from 'preact/hooks';
import { countryOfPlace } from '../../vocabulary/places.ts';
import { ownValue } from '../state/own-value.ts';
import type { Icons } from './generate.ts';

type Props = { dimension: string; value: string | null };

/** Dimensions whose values have marks. */
const MARKED = /^(country|source|referrer|utmSource|browser|os|deviceType)$/;

/** Values that share the mark of another. */
const SAME: Record<string, string> = {
  chromemobile: 'chrome',
  chromewebview: 'chrome',
  chromeos: 'chrome',
  chromiumos: 'chrome',
  mobilechrome: 'chrome',
  mobilesafari: 'safari',
  mobilefirefox: 'firefox',
  macos: 'ios',
  googleshopping: 'google',
  edgewebview: 'edge',
  mobileedge: 'edge',
  copilot: 'microsoftcopilot',
  email: 'newsletter',
  samsungbrowser: 'samsunginternet',
  bravebrowser: 'brave',
};

/** Marks drawn here: generic ones, and simple ones. */
const OWN: Icons = {
  desktop: { path: 'M2 4h20v13H2zm2 2v9h16V6zM8 19h8v2H8z' },
  mobile: { path: 'M6 1h12v22H6zm2 3v14h8V4zm3 16v1.5h2V20z' },
  tablet: { path: 'M3 2h18v20H3zm2 3v12h14V5zm6 14v1.5h2V19z' },
  windows: {
    path: 'M3 4l8-1v8.5H3zm9-1.2L22 1.5v10H12zM3 12.5h8V21l-8-1zm9 0h10v10l-10-1.3z',
    colour: '#0078d4',
  },
  safari: {
    path: 'M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm5.5 5.5-3.6 7.4-7.4 3.6 3.6-7.4z',
    colour: '#1e88f5',
  },
  direct: {
    path: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm-1 3 5 5-5 5-1.5-1.5 2.5-2.5H6.5v-2H12L9.5 8.5z',
  },
  newsletter: { path: 'M2 4h20v16H2zm2 2v.8l8 5.7 8-5.7V6zm16 3.2-8 5.7-8-5.7V18h16z' },
};

/** Brands without a freely licensed icon: a letter on the brand's colour. */
const TILES: Record<string, [letter: string, ground: string]> = {
  linkedin: ['in', '#0a66c2'],
  bing: ['b', '#0a6f78'],
  edge: ['e', '#0b5cad'],
  chatgpt: ['G', '#0b7a5e'],
  microsoftcopilot: ['C', '#7a3fb0'],
  duckduckgo: ['D', '#b8431d'],
  yahoo: ['Y', '#6001d2'],
  yandex: ['Y', '#d0021b'],
  instagram: ['I', '#c8286a'],
  amazon: ['a', '#9a5b00'],
  slack: ['S', '#4a154b'],
  microsoftteams: ['T', '#4b53bc'],
  outlook: ['O', '#0f6cbd'],
  brave: ['B', '#c8371b'],
  samsunginternet: ['S', '#1428a0'],
  linux: ['L', '#3d4247'],
};

/** Loads each file once, when the first of its marks is drawn. */
const FILES = {
  icons: () => import('./icons.json').then((file): Icons => file.default),
  rareIcons: () => import('./icons-rare.json').then((file): Icons => file.default),
  flags: () => import('./flags.json').then((file): Record<string, string> => file.default),
  rareFlags: () => import('./flags-rare.json').then((file): Record<string, string> => file.default),
};
type Files = { [Name in keyof typeof FILES]?: Awaited<ReturnType<(typeof FILES)[Name]>> };
const files: Files = {};
const loading = new Map<keyof Files, Promise<void>>();

function load(name: keyof Files): Promise<void> {
  const known = loading.get(name);
  if (known) return known;
  const made = FILES[name]().then(
    (file) => {
      Object.assign(files, { [name]: file });
    },
    () => {
      loading.delete(name); // unreachable: the next mark tries again
    },
  );
  loading.set(name, made);
  return made;
}

/** The mark of a value: its flag, its icon, or its first letter. Decorative: the text next to it says the same. */
export function Mark({ dimension, value }: Props) {
  return dimension === 'region' || dimension === 'city' ? (
    <OwnMark dimension="country" value={countryOfPlace(value ?? '') ?? null} />
  ) : (
    <OwnMark dimension={dimension} value={value} />
  );
}

function OwnMark({ dimension, value }: Props) {
  const [, setLoaded] = useState(0);
  const file = fileOf(dimension, value);
  useEffect(() => {
    if (file && !files[file]) void load(file).then(() => setLoaded((turn) => turn + 1));
  }, [file]);
  if (!MARKED.test(dimension)) return null;
  const key = value ? keyOf(value) || value : dimension === 'source' ? 'direct' : '';
  if (!key) return <span class="mark mark-none" aria-hidden="true" />;
  if (dimension === 'country')
    return <Flag image={ownValue(files.flags, value ?? '') ?? ownValue(files.rareFlags, value ?? '')} />;
  const own = ownValue(OWN, key);
  const icon = own ?? ownValue(files.icons, key) ?? ownValue(files.rareIcons, key);
  const tile = ownValue(TILES, key);
  if (tile && !icon)
    return (
      <span class="mark mark-letter mark-tile" style={{ background: tile[1] }} aria-hidden="true">
        {tile[0]}
      </span>
    );
  if (!icon && !files.rareIcons) return <span class="mark mark-none" aria-hidden="true" />;
  if (!icon)
    return (
      <span class={`mark mark-letter mark-${hueOf(value ?? '')}`} aria-hidden="true">
        {firstLetter(value ?? '')}
      </span>
    );
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icon.path} fill={icon.colour ?? 'currentColor'} fill-rule={own ? 'evenodd' : 'nonzero'} />
    </svg>
  );
}

/** File that contains the mark of a value. The rare ones are loaded when the usual ones lack it. */
function fileOf(dimension: string, value: string | null): keyof Files | undefined {
  if (!MARKED.test(dimension) || !value) return undefined;
  if (dimension === 'country') return files.flags && !ownValue(files.flags, value) ? 'rareFlags' : 'flags';
  const key = keyOf(value);
  if (ownValue(OWN, key) || ownValue(TILES, key)) return undefined;
  return files.icons && !ownValue(files.icons, key) ? 'rareIcons' : 'icons';
}

function Flag({ image }: { image: string | undefined }) {
  if (!image) return <span class="mark mark-none" aria-hidden="true" />;
  return <img class="mark mark-flag" alt="" src={`data:image/svg+xml,${encodeURIComponent(image)}`} />;
}

/** `Hacker News` → `hackernews`, `github.com` → `github`. Other scripts keep their letters: no mark is theirs. */
function keyOf(value: string): string {
  const key = value
    .toLowerCase()
    .replace(/\.(com|org|net|io|dev|app|to)$/, '')
    .replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]/gu, '');
  return ownValue(SAME, key) ?? key;
}

/** First letter as people read it: an emoji of several characters, a letter with its accents. */
export function firstLetter(value: string): string {
  const letters = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
  for (const { segment } of new Intl.Segmenter().segment(value)) if (letters.test(segment)) return segment;
  return '?';
}

const HUES = 5;

function hueOf(value: string): number {
  return [...value].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES;
}
