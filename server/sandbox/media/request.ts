/** A request body as JSON. */
export type JsonBody = Record<string, unknown>

/** A text field of a body; empty where it is missing or something else. */
export const textField = (value: unknown): string => (typeof value === 'string' ? value : '')

export const isJsonBody = (value: unknown): value is JsonBody => typeof value === 'object' && value !== null
