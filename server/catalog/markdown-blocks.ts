const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A table; the cells of a row may hold any text. */
export const tableBlock = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Declarations of TypeScript. */
export const typeBlock = (...declarations: string[]): string => `\`\`\`ts\n${declarations.join('\n')}\n\`\`\``

/** A request with a JSON body, to be pasted into a shell. */
export const curlBlock = (url: string, body: object): string =>
  `\`\`\`sh\ncurl ${url} -H "Authorization: Bearer $TOLLGATE_KEY" -H "Content-Type: application/json" \\\n  --data-raw '${JSON.stringify(body).replaceAll("'", "'\\''")}'\n\`\`\``
