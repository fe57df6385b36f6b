import { isRecord } from './record'

/** JSON that is the same for equal values, however the keys of their objects are ordered. */
export const stableJson = (value: unknown): string => JSON.stringify(value ?? null, sortKeys)

const sortKeys = (_key: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
