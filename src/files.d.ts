/** Files that are imported as text, or as the path where they are; a bundler takes them along. */
declare module '*.sql' {
  const text: string;

  export { text as default };
}
declare module '*.md' {
  const text: string;

  export { text as default };
}
declare module '*.mmdb' {
  const path: string;

  export { path as default };
}
