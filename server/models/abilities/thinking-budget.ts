/** Output tokens of thinking for each effort. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

/** The tokens of thinking that stand for an effort; undefined for none. */
export const budgetOf = (effort: unknown): number | undefined => BUDGETS[String(effort)]

/** The effort that stands for a budget. */
export const effortOf = (budget: number): 'low' | 'medium' | 'high' =>
  budget <= 2_048 ? 'low' : budget <= 8_192 ? 'medium' : 'high'
