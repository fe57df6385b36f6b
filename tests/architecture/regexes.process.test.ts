import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { check } from 'recheck'
import recheck from 'recheck/package.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { type Regex, regexesBelow } from '../support/regexes'
import { SOURCE_ROOT } from '../support/source-imports'

/** Patterns that take more than linear time over an input that is bounded, and what bounds it. */
const BOUNDED: { file: string; pattern: RegExp; because: string }[] = [
  { file: 'server/models/shape.ts', pattern: /^\\\/\+\$$/, because: 'a setting of the operator' },
  {
    file: 'server/models/upstream/failure.ts',
    pattern: /./,
    because: 'a provider’s words are cut to 2,000 characters before',
  },
  { file: 'server/agent/run/announcement.ts', pattern: /./, because: 'a text of at most 500 characters' },
  { file: 'server/agent/agents.ts', pattern: /./, because: 'a goal, of which 4,000 characters are read' },
  { file: 'server/agent/run/tool-access.ts', pattern: /^,/, because: 'the message of an error of JSON.parse' },
  { file: 'server/sandbox/script/script.ts', pattern: /From the service/, because: 'a prompt of the simulated models' },
  ...['guides/blocks', 'guides/fence'].map((name) => ({
    file: `server/${name}.ts`,
    pattern: /./,
    because: 'the guides of this repository',
  })),
  { file: 'server/kit/print-type.ts', pattern: /^"/, because: 'a type printed from a schema of this repository' },
  { file: 'server/sandbox/prose/text.ts', pattern: /^\[\^\.!\?\]/, because: 'sentences that the file wrote' },
  { file: 'server/sandbox/prose/topic.ts', pattern: /./, because: 'a query, whose length the tools limit' },
  { file: 'server/cli/new-tool/write.ts', pattern: /./, because: 'the source of this repository' },
  ...['media', 'shell', 'site', 'subject', 'wish'].map((name) => ({
    file: `server/sandbox/player/${name}.ts`,
    pattern: /./,
    because: 'a goal, of which 4,000 characters are read',
  })),
  ...['arguments', 'memory', 'reply', 'small-talk', 'sums', 'tool-choice'].map((name) => ({
    file: `server/sandbox/talk/${name}.ts`,
    pattern: /./,
    because: 'a message, of which 4,000 characters are read',
  })),
  ...['boilerplate-names', 'choose', 'needs-script', 'structured-data'].map((name) => ({
    file: `server/tools/web/reader/${name}.ts`,
    pattern: /./,
    because: 'runs in the thread that reads a page, which ends after 4 s of CPU',
  })),
  { file: 'server/tools/web/charset.ts', pattern: /^charset/, because: 'a header, or a tag within 4,096 bytes' },
]

/** Files that build patterns at run time, and of what. */
const BUILDERS: Record<string, string> = {
  'server/agent/run/plan.ts': 'from the id of a tool, over a text of a plan, without repetition',
  'server/agent-tools/data/workbook.ts': 'from one set of characters, without repetition',
  'server/http/mounts.ts': 'from the mounted paths, with one wildcard each',
  'server/sandbox/player/coins.ts': 'from names of coins, over 4,000 characters of a goal',
  'server/sandbox/player/homes-wish.ts': 'from fixed words, over 4,000 characters of a goal',
  'server/sandbox/player/view.ts': 'from the name of a tool, without repetition',
  'server/sandbox/player/wish.ts': 'from fixed words, over 4,000 characters of a goal',
  'server/sandbox/prose/facts.ts': 'from fixed words, over the name of a topic',
  'server/sandbox/talk/arguments.ts': 'from the name of a parameter, over 4,000 characters of a message',
  'server/sandbox/talk/small-talk.ts': 'from fixed words, over 4,000 characters of a message',
  'server/tools/web/strip-code.ts': 'from a list of element names, without repetition',
}

const AT_ONCE = 2
const { literals, builders } = regexesBelow('server')

const isBounded = ({ file, pattern }: Regex) => BOUNDED.some((one) => one.file === file && one.pattern.test(pattern))

/**
 * Bounds for what hangs. The checker takes an attack that exceeds its own, of a second, for a
 * success, which it then has on every busy machine.
 */
const PATIENCE = { timeout: 600_000, incubationTimeout: 600_000, attackTimeout: 600_000 }

/** What is wrong with a pattern; null: it takes linear time. */
async function complaintOf(regex: Regex): Promise<string | null> {
  const result = await check(regex.pattern, regex.flags, PATIENCE)
  if (result.status === 'safe') return null
  const why = result.status === 'vulnerable' ? result.complexity.summary : result.error.kind
  return `${regex.file}: /${regex.pattern}/${regex.flags} ${why}`
}

/**
 * Patterns that this version of the checker found to be linear, by a hash of each: a pattern is
 * checked once, since a thousand of them take minutes. `vitest run -u` adds those that are new and
 * pass.
 */
const LINEAR = path.join(SOURCE_ROOT, 'tests/architecture/linear-patterns.txt')
const hashOf = ({ pattern, flags }: Pick<Regex, 'pattern' | 'flags'>): string =>
  createHash('sha256').update(`${recheck.version} /${pattern}/${flags}`).digest('hex').slice(0, 16)

test('no regular expression in server/ takes more than linear time over text of any length', async () => {
  const unbounded = new Map(literals.filter((regex) => !isBounded(regex)).map((regex) => [hashOf(regex), regex]))
  const known = new Set(existsSync(LINEAR) ? readFileSync(LINEAR, 'utf8').split('\n') : [])
  const left = [...unbounded].flatMap(([hash, regex]) => (known.has(hash) ? [] : [regex]))
  const complaints: string[] = []
  const work = async () => {
    for (let regex = left.pop(); regex; regex = left.pop()) {
      const complaint = await complaintOf(regex)
      if (complaint) complaints.push(complaint)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(unbounded.size).toBeGreaterThan(200)
  expect(complaints.sort()).toEqual([])
  await expect(`${[...unbounded.keys()].sort().join('\n')}\n`).toMatchFileSnapshot(LINEAR)
}, 1_200_000)

test('the list of bounded patterns names only patterns that are there', () => {
  const lost = BOUNDED.filter(
    ({ file, pattern }) => !literals.some((one) => one.file === file && pattern.test(one.pattern)),
  )
  expect(lost).toEqual([])
})

test('patterns built at run time are known, one by one', () => {
  expect(builders.sort()).toEqual(Object.keys(BUILDERS).sort())
})

test('the check sees what it has to', async () => {
  const exponential = { file: 'x', pattern: '^(a|a)*$', flags: '' }
  expect(await complaintOf(exponential)).toContain('exponential')
  expect(await complaintOf({ file: 'x', pattern: '\\s+$', flags: '' })).toContain('2nd degree')
})
