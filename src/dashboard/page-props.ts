/** What a page is given: the parameters of its path, and the query of the address. */
export type PageProps = { parameters: Record<string, string>; search: string; isPublic?: boolean };
