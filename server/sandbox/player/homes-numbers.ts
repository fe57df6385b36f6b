import type { UnknownRecord } from '../../kit/record'
import type { PlayerAsk } from './ask'
import { failureOf, resultRows, rowLine, rowLink, rowNumber, rowShown, type ShownCall } from './calls'
import {
  type Chapter,
  chartBlock,
  makeChapter,
  onlyGaps,
  shownNumber,
  tableOf,
  textBlock,
  withContent,
} from './chapter'
import { storeDataset } from './dataset'
import type { HomesFound } from './homes-wish'

const TITLE = 'Prices compared'

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

type About = { taken: ShownCall | null; operation: string; text: string }

/**
 * Stores the rows of searches as a dataset and compares areas with SQL: districts of one place, or
 * several places.
 */
export function homesNumbers(
  ask: PlayerAsk,
  found: readonly HomesFound[],
  { taken, operation, text }: About,
): Chapter[] {
  const places = found.map(({ place }) => place.name)
  const about = `homes ${operation} ${places.join(' ')}`
  const { name, why } = storeDataset(ask, { about, results: found.map(({ call }) => call), taken })
  if (name === null) return onlyGaps(TITLE, why)
  const area = areaOf(text, places.length)
  const isByArea = /\b(?:cheapest|lowest|least expensive)\b/i.test(text) && /\bper (?:square|m2|m²)/i.test(text)
  const asked = /\b(three|five|ten)\b[^.\n]{0,20}\bcheapest\b/i.exec(text)?.[1]?.toLowerCase() ?? ''
  const count = { three: 3, five: 5, ten: 10 }[asked] ?? 3
  const query = (sql: string) => ({ name: 'dataset_query', args: { sql } })
  const cheapestSql = `SELECT title, url, price, size, pricePerSquareMetre, ${area} AS area FROM ${name} WHERE pricePerSquareMetre > 0 ORDER BY pricePerSquareMetre LIMIT ${count}`
  const [all = null, byArea = null, cheap = null] = ask.all([
    query(numbersOf("'all'", name)),
    query(`${numbersOf(area, name)} GROUP BY 1 ORDER BY homes DESC, area LIMIT 8`),
    ...(isByArea ? [query(cheapestSql)] : []),
  ])
  const failed = [all, byArea, cheap].find((call) => call?.failed)
  if (failed) return onlyGaps(TITLE, `The numbers could not be computed: ${failureOf(failed)}`)
  const [sum] = resultRows(all)
  const rows = resultRows(byArea).filter((row) => rowNumber(row, 'price') !== null)
  if (!sum || rows.length === 0) return []
  const perMonth = operation === 'rent' ? ' a month' : ''
  const amount = (row: UnknownRecord, field: string) => {
    const value = rowNumber(row, field)
    return value === null ? '–' : `€${shownNumber(value)}`
  }
  const size = (row: UnknownRecord) => `${rowShown(row, 'size')} m²`
  const where = (row: UnknownRecord) => rowLine(row, 'area', 40)
  const hasArea = rows.some((row) => rowNumber(row, 'perSquareMetre') !== null)
  const field = hasArea ? 'perSquareMetre' : 'price'
  const cheapest = tableOf(
    resultRows(cheap),
    ['Home', (row) => rowLink(row, 'A home')],
    ['Per m²', (row) => amount(row, 'pricePerSquareMetre')],
    ['Price', (row) => amount(row, 'price')],
    ['Size', size],
    ['Where', where],
  )
  const table = tableOf(
    rows,
    ['Area', where],
    ['Homes', (row) => rowShown(row, 'homes')],
    ['Average price', (row) => amount(row, 'price')],
    ['Average size', size],
    ['Per m²', (row) => amount(row, 'perSquareMetre')],
  )
  const title = `Average price${hasArea ? ' per m²' : ''}, ${places.join(' and ')}`
  const bars = rows.map((row): [string, number] => [where(row), rowNumber(row, field) ?? 0])
  const kept = `The rows are kept as the dataset \`${name}\`, which can be queried again and downloaded.`
  const lead = `On average **${amount(sum, 'price')}${perMonth}** for ${size(sum)}, which is ${amount(sum, 'perSquareMetre')} per square metre, over ${rowShown(sum, 'homes')} homes.`
  const blocks = [chartBlock({ title, unit: '€', rows: bars }), table, textBlock(kept)]
  const first = makeChapter({
    title: 'The cheapest per square metre',
    blocks: [resultRows(cheap).length > 0 && cheapest],
  })
  return withContent([first, makeChapter({ title: TITLE, lead, blocks })])
}
