/** Files of a site from pairs of path and text. */
export const siteFiles = (...texts: [path: string, content: string][]) =>
  texts.map(([path, content]) => ({ path, content }))
