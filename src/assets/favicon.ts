/** Three bars, as in a small chart. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0f766e"/><path d="M9 23v-6M16 23V9m7 14v-9" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>
`;
