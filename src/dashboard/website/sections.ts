import { createContext } from 'preact';

/** A page that the frame of a website leads to. The path is what stands behind the website's address, '' at first. */
export type Section = { path: string; name: string; isPublic: boolean };

/** From the table of pages. The table imports the pages and they their frame, so it is given to the frame. */
export const Sections = createContext<readonly Section[]>([]);
