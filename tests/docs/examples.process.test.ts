import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { env } from '../../server/env'
import { readGuideBlocks } from '../../server/guides/blocks'
import { fillPlaceholders } from '../../server/guides/placeholders'
import { readGuideFiles } from '../../server/guides/read'
import type { GuideBlock, GuideExample } from '../../server/guides/shape'
import { withSandbox } from '../support/api'
import { makeChatter } from '../support/chat'
import { sharedListener } from '../support/listener'
import { makeManagementKey } from '../support/management'
import { pollUntil } from '../support/poll-until'
import { withWorker } from '../support/worker'
import { type ExampleRun, runExample } from './run-example'
import { differences, missingLines } from './shown-in'

/** Every example of the guides and the README that is marked `run`, as its reader would run it. */

withSandbox()
withWorker()

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-examples-'))
beforeAll(async () => {
  Object.assign(env(), { PUBLIC_URL: (await sharedListener()).url })
})
afterAll(() => rmSync(folder, { recursive: true }))

const hasPython = spawnSync('python3', ['--version']).status === 0
const isRunnable = ({ language, run }: GuideExample) => run !== null && (language !== 'py' || hasPython)

/** The README's addresses are those of a first start. */
const readme = readFileSync(path.join(PROJECT_ROOT, 'README.md'), 'utf8').replaceAll(
  'http://localhost:3000',
  '{{origin}}',
)
const documents = [...(await readGuideFiles()), { slug: 'README', body: readme }]
const tested = documents.filter(({ body }) =>
  readGuideBlocks(body).some((block) => block.kind === 'code' && block.examples.some(isRunnable)),
)

const parse = (output: string): unknown => {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

/** A field of JSON that was printed, such as `jobId` or `data.0.id`. */
const fieldOf = (output: string, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => Object(value)[name], parse(output))

type Response = Extract<GuideBlock, { kind: 'code' }>['response']

/** What is wrong with a run, as lines to read. */
function problemsOf({ run }: GuideExample, { output, exitCode, statuses }: ExampleRun, response: Response): string[] {
  const status = statuses.at(-1)
  const isExpected = status === undefined || (run?.status ? status === run.status : status < 300)
  return [
    ...(exitCode === 0 ? [] : [`ended with ${exitCode}`]),
    ...(isExpected ? [] : [`status ${status}`]),
    ...(run?.save && fieldOf(output, run.save.field) === undefined ? [`has no ${run.save.field}`] : []),
    ...(response?.language === 'json' ? differences(JSON.parse(response.code), parse(output)) : []),
    ...(response && response.language !== 'json' ? missingLines(response.code, output) : []),
  ]
}

async function runAndCheck(example: GuideExample, response: Response, given: Parameters<typeof runExample>[1]) {
  const { run, code } = example
  const isDone = ({ output }: ExampleRun) => !run?.until || String(fieldOf(output, run.until.field)) === run.until.value
  const done = await pollUntil(code, async () => {
    const once = await runExample(example, given)
    return isDone(once) || once.exitCode !== 0 ? once : null
  })
  expect({ code, problems: problemsOf(example, done, response) }, done.output + done.errors).toEqual({
    code,
    problems: [],
  })
  if (run?.save) appendFileSync(given.kept, `export ${run.save.variable}=${fieldOf(done.output, run.save.field)}\n`)
}

test.each(tested)('the examples of $slug run as they are', async ({ slug, body }) => {
  const { key, owner } = await makeChatter(100_000, { agent: true })
  const { key: managementKey } = await makeManagementKey(owner)
  const given = { kept: path.join(folder, slug), key: key.key, managementKey }
  for (const block of readGuideBlocks(fillPlaceholders(body))) {
    if (block.kind === 'text') continue
    for (const example of block.examples.filter(isRunnable)) await runAndCheck(example, block.response, given)
  }
})
