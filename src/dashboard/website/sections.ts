import { createContext } from 'preact';

/** A page in the navigation of a website. The path follows the website's address; '' is the dashboard. */
export type Section = { path: string; name: string; isPublic: boolean };

/** Sections of the table of pages. It imports the pages, and they this frame, so a context passes the sections down. */
export const Sections = createContext<readonly Section[]>([]);
