/** What a page is given: the parameters of its path, the query of the address, and whether it is shown to the public. */
export type PageProps = { parameters: Record<string, string>; search: string; isPublic: boolean };
