/** Formats by what makes them: making one takes longer than a whole page. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${options.currency} ${options.minimumFractionDigits}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, format)
  return format
}

/** A number as people of a locale write it. */
export const localNumber = (value: number, locale: string): string => formatOf(locale, {}).format(value)

/** An amount of money as people of a locale write it; small ones with cents. */
export function formatMoney(amount: number, { locale, currency }: { locale: string; currency: string }): string {
  const digits = amount < 20 ? 2 : 0
  const options = { style: 'currency', currency, maximumFractionDigits: digits, minimumFractionDigits: digits } as const
  return formatOf(locale, options).format(amount)
}
