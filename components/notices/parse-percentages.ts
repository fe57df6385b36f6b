const MAX = 5

/** Percentages from what somebody typed, "50, 80"; null: some are none, or there are too many. */
export function parsePercentages(text: string): number[] | null {
  const words = text.split(/[\s,%]+/).filter((word) => word !== '')
  const numbers = words.map((word) => (/^\d{1,3}$/.test(word) ? Number(word) : 0))
  return words.length <= MAX && numbers.every((percent) => percent >= 1 && percent <= 100) ? numbers : null
}
