/** The address of each file that pages name. */
export type BrowserFiles = Record<'dashboardScript' | 'dashboardStyle' | 'docsStyle', string>;

export type BundledFile = { name: string; text: string };
/** Everything that the pages load. The names carry a hash of the content. */
export type BundledFiles = { addresses: BrowserFiles; files: readonly BundledFile[] };

/** What the executable holds, because it has no sources to bundle when it starts. */
export type Prebuilt = {
  /** The tracker, for each value of RESPECT_DNT. */
  trackers: Record<'on' | 'off', string>;
  browserFiles: BundledFiles;
  /** Texts of docs/, by their path below it. */
  documents: Record<string, string>;
  /** The licences of what is inside. */
  notices: string;
};

/**
 * From source there is nothing ready; packaging/release.ts puts a module of its own in the place of this one. It is half a
 * megabyte: who needs it imports it then, so that the start does not read it.
 */
export const prebuilt: Prebuilt | undefined = undefined;
