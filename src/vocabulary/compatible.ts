/** Products whose scripts may keep sending, with the paths that these send to. */
export const COMPATIBLE_PATHS = {
  umami: '/api/send',
  plausible: '/api/event',
  matomo: '/matomo.php',
} as const;
export type CompatibleProduct = keyof typeof COMPATIBLE_PATHS;

/** Old ids of a website: `umami:` and its UUID there, `plausible:` and its domain, `matomo:` and its number. */
export const OLD_IDS_MAX = 20;
export const OLD_ID_LENGTH_MAX = 280;
export const OLD_ID = /^(?:umami|plausible|matomo):[\w.:/-]{1,260}$/;
