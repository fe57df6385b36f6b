import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../server/cli/kit/project'

const FILE = path.join(PROJECT_ROOT, 'tests', 'bench', 'RESULTS.md')

const HEAD = `# Benchmark results

Each section is one run of the command that it names, on a machine that load, servers, sandbox and
database share. A figure is the median of its rounds, with the lowest and the highest behind it; a
round measures every row once. CPU time is that of the processes which answer, and of the whole
PostgreSQL server, for one call. Read the ratios: absolute figures belong to the machine.
Comparisons between versions: [HISTORY.md](HISTORY.md).
`

/** A section as it is kept: a heading, then its text. */
export type ResultSection = { title: string; text: string }

/** The sections of a text, by its headings of the second level. */
function sectionsOf(text: string): ResultSection[] {
  return text
    .split('\n## ')
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return { title: part.slice(0, end).trim(), text: part.slice(end).trim() }
    })
}

/** The text with a section instead of the one of that title, in the order of `titles`. */
export function withSection(before: string, section: ResultSection, titles: readonly string[]): string {
  const others = sectionsOf(before).filter(({ title }) => title !== section.title)
  const place = ({ title }: ResultSection) => (titles.includes(title) ? titles.indexOf(title) : titles.length)
  const ordered = [...others, section].sort((a, b) => place(a) - place(b))
  return [HEAD, ...ordered.map(({ title, text }) => `## ${title}\n\n${text}\n`)].join('\n')
}

/** Keeps a section in RESULTS.md, in place of its last run. */
export function keepSection(section: ResultSection, titles: readonly string[]): void {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  writeFileSync(FILE, withSection(before, section, titles))
}
