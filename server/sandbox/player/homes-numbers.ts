import type { PlayerAsk } from './ask'
import { failureOf, resultRows, rowNumber, rowText, type ShownCall } from './calls'
import { type Chapter, linkTo, makeChapter, plainLine, shownNumber } from './chapter'
import { storeDataset } from './dataset'
import type { HomesFound } from './homes-wish'

const firstOf = (...columns: string[]) =>
  `COALESCE(${columns.map((column) => `NULLIF(${column}, '')`).join(', ')}, 'elsewhere')`

/** The column that areas go by: what the goal names, else districts; with several places towns. */
const areaOf = (text: string, places: number) =>
  places > 1
    ? firstOf('municipality')
    : /\bneighbou?rhoods?\b/i.test(text)
      ? firstOf('neighborhood', 'district', 'municipality')
      : firstOf('district', 'neighborhood', 'municipality')

const numbersOf = (area: string, name: string) =>
  `SELECT ${area} AS area, COUNT(*) AS homes, ROUND(AVG(price)) AS price, ROUND(AVG(size)) AS size, ` +
  `ROUND(AVG(pricePerSquareMetre), 1) AS perSquareMetre FROM ${name}`

/**
 * Stores the rows of searches as a dataset and compares areas with SQL: districts of one place, or
 * several places.
 */
export function homesNumbers(
  ask: PlayerAsk,
  found: readonly HomesFound[],
  { taken, operation, text }: { taken: ShownCall | null; operation: string; text: string },
): Chapter[] {
  const places = found.map(({ place }) => place.name)
  const stored = storeDataset(ask, {
    about: `homes ${operation} ${places.join(' ')}`,
    results: found.map(({ call }) => call),
    taken,
  })
  if (stored.name === null) return [makeChapter({ title: 'Prices compared', gaps: [stored.why] })]
  const { name } = stored
  const area = areaOf(text, places.length)
  const isByArea = /\b(?:cheapest|lowest|least expensive)\b/i.test(text) && /\bper (?:square|m2|m²)/i.test(text)
  const count =
    { three: 3, five: 5, ten: 10 }[
      /\b(three|five|ten)\b[^.\n]{0,20}\bcheapest\b/i.exec(text)?.[1]?.toLowerCase() ?? ''
    ] ?? 3
  const query = (sql: string) => ({ name: 'dataset_query', args: { sql } })
  const [all = null, byArea = null, cheap = null] = ask.all([
    query(numbersOf("'all'", name)),
    query(`${numbersOf(area, name)} GROUP BY 1 ORDER BY homes DESC, area LIMIT 8`),
    ...(isByArea
      ? [
          query(
            `SELECT title, url, price, size, pricePerSquareMetre, ${area} AS area FROM ${name} WHERE pricePerSquareMetre > 0 ORDER BY pricePerSquareMetre LIMIT ${count}`,
          ),
        ]
      : []),
  ])
  const failed = [all, byArea, cheap].find((call) => call?.failed)
  if (failed)
    return [
      makeChapter({ title: 'Prices compared', gaps: [`The numbers could not be computed: ${failureOf(failed)}`] }),
    ]
  const [sum] = resultRows(all)
  const rows = resultRows(byArea).filter((row) => rowNumber(row, 'price') !== null)
  if (!sum || rows.length === 0) return []
  const perMonth = operation === 'rent' ? ' a month' : ''
  const amount = (value: number | null) => (value === null ? '–' : `€${shownNumber(value)}`)
  const hasArea = rows.some((row) => rowNumber(row, 'perSquareMetre') !== null)
  const field = hasArea ? 'perSquareMetre' : 'price'
  const cheapest = resultRows(cheap).map((row) => [
    linkTo(rowText(row, 'title') || 'A home', rowText(row, 'url')),
    amount(rowNumber(row, 'pricePerSquareMetre')),
    amount(rowNumber(row, 'price')),
    `${shownNumber(rowNumber(row, 'size'))} m²`,
    plainLine(rowText(row, 'area'), 40),
  ])
  const best =
    cheapest.length === 0
      ? []
      : [
          makeChapter({
            title: 'The cheapest per square metre',
            blocks: [{ kind: 'table', head: ['Home', 'Per m²', 'Price', 'Size', 'Where'], rows: cheapest }],
          }),
        ]
  return [
    ...best,
    makeChapter({
      title: 'Prices compared',
      lead: `On average **${amount(rowNumber(sum, 'price'))}${perMonth}** for ${shownNumber(rowNumber(sum, 'size'))} m², which is ${amount(rowNumber(sum, 'perSquareMetre'))} per square metre, over ${shownNumber(rowNumber(sum, 'homes'))} homes.`,
      blocks: [
        {
          kind: 'chart',
          chart: {
            title: hasArea ? `Average price per m², ${places.join(' and ')}` : `Average price, ${places.join(' and ')}`,
            unit: '€',
            rows: rows.map((row) => [plainLine(rowText(row, 'area'), 40), rowNumber(row, field) ?? 0]),
          },
        },
        {
          kind: 'table',
          head: ['Area', 'Homes', 'Average price', 'Average size', 'Per m²'],
          rows: rows.map((row) => [
            plainLine(rowText(row, 'area'), 40),
            shownNumber(rowNumber(row, 'homes')),
            amount(rowNumber(row, 'price')),
            `${shownNumber(rowNumber(row, 'size'))} m²`,
            amount(rowNumber(row, 'perSquareMetre')),
          ]),
        },
        {
          kind: 'text',
          text: `The rows are kept as the dataset \`${name}\`, which can be queried again and downloaded.`,
        },
      ],
    }),
  ]
}
