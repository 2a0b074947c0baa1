/** Props of every page: parameters of its path, query of the address, and whether it is shown to the public. */
export type PageProps = { parameters: Record<string, string>; search: string; isPublic: boolean };
