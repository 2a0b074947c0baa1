/** Option of commands that show their progress. */
export const QUIET = ['--quiet', 'show no progress'] as const;
