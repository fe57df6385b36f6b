import type { ChatPriceInfo, PriceInfo } from '../price/shape'

/** What a message to several models costs together, and each alone. */
export type ChatPrices = PriceInfo & { each: readonly { model: string; most: number | null; typical: number | null }[] }

const sum = (values: readonly (number | null)[]): number | null =>
  values.includes(null) ? null : values.reduce<number>((all, value) => all + (value ?? 0), 0)

/** The prices of one message to several models; null where one of them would refuse it. */
export function addChatPrices(models: readonly string[], prices: readonly (ChatPriceInfo | null)[]): ChatPrices | null {
  const known = prices.filter((price) => price !== null)
  const [first] = known
  if (!first || known.length < prices.length) return null
  return {
    ...first,
    most: sum(known.map(({ most }) => most)),
    typical: sum(known.map(({ typical }) => typical)),
    isShort: known.some(({ isShort }) => isShort),
    mustConfirm: known.some(({ mustConfirm }) => mustConfirm),
    each: known.map(({ most, typical }, at) => ({ model: models[at] ?? '', most, typical })),
  }
}
