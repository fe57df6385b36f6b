/** More than any context holds. */
const MAX_TOKENS = 1e9

/** True for a number of tokens that can be believed: a whole number from 0 to 1e9. */
export const isTokenCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS
