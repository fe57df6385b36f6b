import { formatCredits } from '../ui/amount'
import type { PriceInfo } from './shape'

/** `1 credit`, `1 112 credits`. */
export const creditsText = (credits: number): string =>
  `${formatCredits(credits)} ${credits === 1 ? 'credit' : 'credits'}`

/** What a call costs, for a sentence: `3 credits`, `up to 1 112 credits`; null: nobody knows. */
export function priceText({ most, typical, basis }: Pick<PriceInfo, 'most' | 'typical' | 'basis'>): string | null {
  if (most === null) return null
  return basis === 'price' && typical === most ? creditsText(most) : `up to ${creditsText(most)}`
}

/** What a button says: its verb, with the price where it is known. */
export function spendLabel(verb: string, price: PriceInfo | undefined, otherwise = verb): string {
  const text = price && priceText(price)
  return text ? `${verb} for ${text}` : otherwise
}

/** `about 120 to 350, as your last 14 runs did`, of a whole run. */
function rangeText({ range, most, judges = 0 }: Pick<PriceInfo, 'range' | 'most' | 'judges'>): string | null {
  if (!range) return null
  const atMost = (credits: number) => formatCredits(Math.min(credits, most ?? credits))
  const [from, to] = [atMost(range.from), atMost(range.to)]
  const basis = range.basis === 'history' ? `as your last ${range.runs} runs did` : 'by the price of tokens'
  const verdicts = judges === 0 ? '' : judges === 1 ? ', the judge included' : `, ${judges} judges included`
  return `about ${from === to ? from : `${from} to ${to}`}, ${basis}${verdicts}`
}

/** The usual charge beside the highest, or the range of a run; null where it says nothing more. */
export function typicalText(price: Pick<PriceInfo, 'most' | 'typical' | 'basis' | 'range' | 'judges'>): string | null {
  const { most, typical, basis } = price
  if (basis === 'price') return null
  const range = rangeText(price)
  if (range !== null || typical === null) return range
  if (most !== null && typical >= most) return null
  return `usually ${formatCredits(typical)}`
}

/** `480p becomes 720p`, for every value that the call would change. */
export const fittedText = (fitted: NonNullable<PriceInfo['fitted']>): string =>
  fitted.map(({ param, asked, becomes }) => `${param}: ${asked} becomes ${becomes}`).join('; ')

const WHERE_FREE: Record<NonNullable<PriceInfo['limitedBy']>, string> = {
  balance: 'Your balance has',
  key_budget: 'The key’s budget has',
  key_period: 'The key’s budget of this period has',
  account_day: 'The account’s daily limit leaves',
}

/** Why a call would be refused; null: it would not. */
export function shortText({ isShort, available, limitedBy = 'balance' }: PriceInfo): string | null {
  return isShort ? `${WHERE_FREE[limitedBy]} ${creditsText(available)} free, which is not enough.` : null
}

/** All of it as one text, for who cannot see the line. */
export function spokenPrice(price: PriceInfo): string {
  const text = priceText(price)
  const parts = [
    text === null ? 'The provider sets the price' : `Costs ${text}`,
    typicalText(price),
    price.fitted?.length ? fittedText(price.fitted) : null,
  ].filter((part) => part !== null)
  return [`${parts.join(', ')}.`, shortText(price)].filter(Boolean).join(' ')
}
