import { escapeUTF8 } from 'entities'

/** A text, or anything as one, as it is written in HTML, attributes included. */
export const htmlText = (value: unknown): string => escapeUTF8(String(value ?? ''))

/** The cells of a row; `write` makes HTML of them. */
export const rowHtml = (
  cells: readonly string[],
  tag: 'td' | 'th',
  write: (text: string) => string = htmlText,
): string => `<tr>${cells.map((cell) => `<${tag}>${write(cell)}</${tag}>`).join('')}</tr>`

/** A table, from the texts of its rows; the first is its head. */
export const tableHtml = ([head = [], ...rows]: readonly (readonly string[])[]): string =>
  `<table><thead>${rowHtml(head, 'th')}</thead><tbody>${rows.map((row) => rowHtml(row, 'td')).join('')}</tbody></table>`
