/** Address of each file that pages refer to. */
export type BrowserFiles = Record<'dashboardScript' | 'dashboardStyle' | 'docsStyle', string>;

export type BundledFile = { name: string; text: string };
/** All files that pages load. Their names carry a hash of the content. */
export type BundledFiles = { addresses: BrowserFiles; files: readonly BundledFile[] };

/** Contents of the executable, which has no sources to bundle at start. */
export type Prebuilt = {
  /** Trackers by value of RESPECT_DNT. */
  trackers: Record<'on' | 'off', string>;
  browserFiles: BundledFiles;
  /** Documents of docs/, by path within it. */
  documents: Record<string, string>;
  /** Licences of the included packages. */
  notices: string;
};

/**
 * Undefined when run from source; packaging/release.ts replaces this module. The replacement is half a megabyte, so it is
 * imported on demand, to keep it out of the start.
 */
export const prebuilt: Prebuilt | undefined = undefined;
