const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;
const STEP = 1_024;

/** `812 bytes`, `3.4 MiB` */
export function formatBytes(bytes: number): string {
  const power = bytes < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const value = bytes / STEP ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}
