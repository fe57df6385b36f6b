import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { DatasetTable, TableCell } from './shape'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The cell formats in `styles.xml`, by their number there. */
const PLAIN = 0
const BOLD = 1
/** Excel keeps such a cell as text also when a person edits it. */
const AS_TEXT = 2

/** The parts of a workbook with one sheet, besides the sheet. */
const PARTS: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Dataset" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" quotePrefix="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
}

/** What a cell of a spreadsheet can hold. */
const MAX_CELL_CHARS = 32_767
const CUT = ' … (cut: a cell of a workbook holds 32,767 characters; the CSV has the whole text)'

const SPECIAL = /[&<>\uFFFE\uFFFF\p{Cc}]|_x[\dA-Fa-f]{4}_/u
const SPECIALS = new RegExp(SPECIAL, 'gu')

/** A character that XML does not take, or text that looks like one, as the format writes it. */
function escapeSpecial(found: string): string {
  if (found === '\n' || found === '\t') return found
  if (found === '&') return '&amp;'
  if (found === '<') return '&lt;'
  if (found === '>') return '&gt;'
  if (found.length > 1) return `_x005F${found}`
  return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

/** A text as the content of an element. */
function escapeXml(text: string): string {
  const kept = text.length > MAX_CELL_CHARS ? text.slice(0, MAX_CELL_CHARS - CUT.length) + CUT : text
  const whole = kept.toWellFormed()
  return SPECIAL.test(whole) ? whole.replaceAll(SPECIALS, escapeSpecial) : whole
}

/** Name of a column by its place: A to Z, AA, AB, and so on. */
function columnName(place: number): string {
  const last = String.fromCharCode(65 + (place % 26))
  return place < 26 ? last : columnName(Math.floor(place / 26) - 1) + last
}

/** Texts that a spreadsheet would take for a formula when typed in. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/

/** A cell. Its type is written with it, so that a text is never a formula, a number or a date. */
function cellXml(cell: TableCell, at: string, style: number): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`
  const format = style === PLAIN && FORMULA.test(cell) ? AS_TEXT : style
  return `<c r="${at}" t="inlineStr"${format === PLAIN ? '' : ` s="${format}"`}><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
}

const rowXml = (cells: readonly TableCell[], row: number, { names, style }: { names: string[]; style: number }) =>
  `<row r="${row}">${cells.map((cell, i) => cellXml(cell, `${names[i]}${row}`, style)).join('')}</row>`

const ROWS_PER_PIECE = 500

/** The sheet in pieces: a header line that stays in view, and the rows. */
function* sheetPieces({ columns, rows }: DatasetTable): Generator<string> {
  const names = columns.map((_, i) => columnName(i))
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
  yield rowXml(
    columns.map(({ name }) => name),
    1,
    { names, style: BOLD },
  )
  for (let at = 0; at < rows.length; at += ROWS_PER_PIECE) {
    const piece = rows.slice(at, at + ROWS_PER_PIECE)
    yield piece.map((cells, i) => rowXml(cells, at + i + 2, { names, style: PLAIN })).join('')
  }
  yield '</sheetData></worksheet>'
}

/**
 * A table as an XLSX workbook, made in pieces so that its XML, ten times as large, is never whole.
 */
export function workbookOf(table: DatasetTable): Uint8Array {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const addPart = (name: string, texts: Iterable<string>) => {
    const part = new ZipDeflate(name, { level: 1 })
    zip.add(part)
    for (const text of texts) part.push(strToU8(text))
    part.push(new Uint8Array(0), true)
  }
  for (const [name, xml] of Object.entries(PARTS)) addPart(name, [HEAD + xml])
  addPart('xl/worksheets/sheet1.xml', sheetPieces(table))
  zip.end()
  return new Uint8Array(Buffer.concat(pieces))
}
