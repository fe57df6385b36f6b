/** The page of a model, whose id has a slash. */
export const modelPath = (id: string): string => `/models/${id.split('/').map(encodeURIComponent).join('/')}`
