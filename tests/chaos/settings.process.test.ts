// Settings and models that change while calls are in progress, through the commands that operators
// run.
import { cpSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { findLedgerDifferences } from '../../server/credits/verify'
import { closeDb, mainPool } from '../../server/db'
import { runAdminJson } from '../support/admin-process'
import { chargedTo, withSandbox } from '../support/api'
import { CHAT_PATH, chargeIn, parseSse } from '../support/chat'
import { launcherOf, processesOf } from '../support/command-processes'
import { openConfigFolder } from '../support/config-folder'
import { killGroup, type NpmCommand, startNpmCommand } from '../support/npm-process'
import { makeCaller } from '../support/owners'
import { pollUntil } from '../support/poll-until'
import { signalProcess } from '../support/process-table'

withSandbox()

/** 1,010 tokens at 100 USD a million and 2,778 credits a dollar. */
const FORMER_CHARGE = 281
/** The same at 200 USD and twice the mark-up. */
const NEW_CHARGE = 1_123

const config = await openConfigFolder()
let caller: Awaited<ReturnType<typeof makeCaller>>
let web: NpmCommand

/** The folder that a process runs in; null once it has ended. */
function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

const start = (count: number, folder?: string) => {
  const settings = { HOST: '127.0.0.1', WEB_CONCURRENCY: String(count), CONFIG_DIR: config.folder }
  return startNpmCommand('web', settings, folder)
}

/** A folder that runs as this one does: with a copy of what is built, and links to the rest. */
function copyRelease(folder: string) {
  mkdirSync(folder)
  for (const name of ['package.json', 'dist', 'server'])
    cpSync(path.join(PROJECT_ROOT, name), path.join(folder, name), { recursive: true })
  for (const name of ['node_modules', '.next', 'prisma', 'public', 'docs'])
    symlinkSync(path.join(PROJECT_ROOT, name), path.join(folder, name))
}

beforeAll(async () => {
  caller = await makeCaller(1_000_000, { llm: true, rpm: 100_000 })
})
afterAll(async () => {
  killGroup(web)
  config.close()
  expect(await findLedgerDifferences()).toEqual([])
  await closeDb()
})

function writeFormer() {
  config.writeSettings({ ACME_KEY: 'former', MARKUP: '1' })
  config.writeModels({ 'acme/one': 100 })
}

function writeNew() {
  config.writeSettings({ ACME_KEY: 'new', MARKUP: '2' })
  config.writeModels({ 'acme/one': 200, 'acme/two': 100 })
}

const read = async (path: string) => (await fetch(web.url + path, { headers: { connection: 'close' } })).text()

/** One streamed call to its end: its status, and what it was charged. */
async function chat(model: string): Promise<{ status: number; charge: number }> {
  const res = await fetch(web.url + CHAT_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key.key}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({
      model,
      stream: true,
      max_tokens: 1_000,
      messages: [{ role: 'user', content: 'Say it. '.repeat(20) }],
    }),
  })
  const text = await res.text()
  return { status: res.status, charge: res.status === 200 ? chargeIn(parseSse(text)) : 0 }
}

async function stop() {
  web.npm.kill('SIGTERM')
  expect(await web.ended, web.log()).toBe(0)
}

const times = (line: string) => web.log().split(line).length - 1

/** Sends the signal of `systemctl reload`, and waits for what comes of it. */
async function reload(line: string) {
  const before = times(line)
  signalProcess(launcherOf(web, 'web'), 'SIGHUP')
  await pollUntil(line, () => times(line) > before)
}

const READ = 'settings read again'
const REFUSED = 'settings refused'

const attempts = async (action: string) =>
  (await mainPool().query('SELECT detail FROM audit_event WHERE owner_id = 0 AND action = $1 ORDER BY id', [action]))
    .rows

describe.each([1, 2])('npm start with %i processes, at a SIGHUP', (count) => {
  beforeAll(async () => {
    writeFormer()
    web = await start(count)
    await pollUntil('all of them', () => processesOf(web, 'web').length === count)
    if (count > 1) await pollUntil('all of them', () => web.log().includes('processes started'))
  })
  afterAll(stop)

  it('has new models, prices and keys for calls that begin then, and the former for one in progress', async () => {
    expect(await chat('acme/one')).toEqual({ status: 200, charge: FORMER_CHARGE })
    expect((await chat('acme/two')).status).toBe(400)
    config.hold()
    const inProgress = chat('acme/one')
    await pollUntil('the call', () => config.held() === 1)
    writeNew()
    await reload(READ)
    expect(config.held()).toBe(1)
    for (const path of ['/api/v1/catalog', '/llms.txt', '/docs/chat'])
      expect(await read(path), path).toContain(path === '/docs/chat' ? 'acme/one' : 'acme/two')
    const listed = await fetch(`${web.url}/api/v1/models`, { headers: { authorization: `Bearer ${caller.key.key}` } })
    expect(await listed.text()).toContain('acme/two')
    const waiting = chat('acme/one')
    await pollUntil('the next call', () => config.held() === 2)
    expect(config.keys.slice(-2)).toEqual(['Bearer former', 'Bearer new'])
    config.release()
    expect(await inProgress).toEqual({ status: 200, charge: FORMER_CHARGE })
    expect(await waiting).toEqual({ status: 200, charge: NEW_CHARGE })
    expect((await chat('acme/two')).status).toBe(200)
    expect(web.log()).not.toContain('Bearer')
    const [line = ''] = web
      .log()
      .split('\n')
      .filter((text) => text.includes(READ))
      .slice(-1)
    expect(JSON.parse(line).changed).toEqual([
      'ACME_KEY',
      'MARKUP',
      'models added: acme/two',
      'models changed: acme/one',
    ])
  })

  it.each([
    ['a models file with a syntax error', () => config.writeModels('[{]'), 'MODELS_FILE is not valid JSON'],
    ['a models file without a list', () => config.writeModels('{}'), 'must be a JSON array of models'],
    ['a wrong setting', () => config.writeSettings({ ACME_KEY: 'new', MARKUP: 'twice' }), 'MARKUP must be a number'],
  ])('keeps what it has with %s, and says so', async (_, spoil, why) => {
    spoil()
    const before = await pollUntil('the end of the former', () => {
      const pids = processesOf(web, 'web')
      return pids.length === count && pids
    })
    await reload(REFUSED)
    expect(processesOf(web, 'web')).toEqual(before)
    const refused = await pollUntil('the audit log', async () => (await attempts('settings_refused')).at(-1))
    expect(web.log()).toContain(why)
    await pollUntil('the reason in the audit log', async () =>
      (await attempts('settings_refused')).at(-1)?.detail.problem.includes(why),
    )
    expect(refused.detail.changed).not.toContain('twice')
    expect(await chat('acme/one')).toEqual({ status: 200, charge: NEW_CHARGE })
    writeNew()
  })
})

describe('one of two processes that was killed', () => {
  beforeAll(async () => {
    writeNew()
    web = await start(2)
    // The launcher counts a process as started before that process logs it.
    await pollUntil('both', () => web.log().includes('processes started') && times('listening') > 1)
  })
  afterAll(stop)

  it('is started again with what the other one has, whatever the file says', async () => {
    config.writeModels('[{]')
    const [killed = 0, other = 0] = processesOf(web, 'web')
    const starts = times('listening')
    signalProcess(killed, 'SIGKILL')
    await pollUntil('its successor', () => times('listening') > starts)
    signalProcess(other, 'SIGSTOP')
    try {
      expect(await chat('acme/two')).toMatchObject({ status: 200 })
    } finally {
      signalProcess(other, 'SIGCONT')
    }
  })
})

describe('an installation that is a link to a release', () => {
  it('has processes of the release that it leads to when it is asked to read again', async () => {
    const releases = [1, 2].map((number) => path.join(config.folder, `release-${number}`))
    for (const release of releases) copyRelease(release)
    const [former = '', next = ''] = releases
    const link = path.join(config.folder, 'installed')
    symlinkSync(former, link)
    writeFormer()
    web = await start(2, link)
    await pollUntil('both', () => web.log().includes('processes started'))
    const folders = () => processesOf(web, 'web').map(folderOf)
    expect(new Set(folders())).toEqual(new Set([former]))
    config.hold()
    const inProgress = chat('acme/one')
    await pollUntil('the call', () => config.held() === 1)
    rmSync(link)
    symlinkSync(next, link)
    await reload(READ)
    config.release()
    expect(await inProgress).toEqual({ status: 200, charge: FORMER_CHARGE })
    await pollUntil('only those of the next', () => new Set(folders()).size === 1 && folders()[0] === next)
    expect((await fetch(`${web.url}/docs`)).status).toBe(200)
    await stop()
  })
})

describe('admin settings', () => {
  // Processes of the tests above that were killed count as living for a while.
  beforeAll(() => mainPool().query('UPDATE holder SET about = NULL'))

  it('reload has web and worker of every machine read again, and prints what came of it', async () => {
    writeFormer()
    web = await start(1)
    const worker = await startNpmCommand('worker', { CONFIG_DIR: config.folder })
    try {
      const known = async () =>
        (await mainPool().query('SELECT about FROM holder WHERE lease_until > now() AND about IS NOT NULL')).rows
      await pollUntil('both', async () => (await known()).filter(({ about }) => !about.isLeaving).length >= 2)
      writeNew()
      const { code, attempts: came, silent } = await runAdminJson(['settings', 'reload'])
      expect(silent).toEqual([])
      expect(code).toBe(0)
      const changed = ['ACME_KEY', 'MARKUP', 'models added: acme/two', 'models changed: acme/one']
      expect(came).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ process: expect.stringMatching(/^web on /), isRefused: false, changed }),
          expect.objectContaining({ process: expect.stringMatching(/^worker on /), isRefused: false, changed }),
        ]),
      )
      expect(await chat('acme/two')).toMatchObject({ status: 200 })
      await pollUntil('the line of the worker', () => worker.log().includes(READ))
      config.writeModels('[{]')
      const refused = await runAdminJson(['settings', 'reload'])
      expect(refused.code).toBe(1)
      expect(JSON.stringify(refused.attempts)).toContain('MODELS_FILE is not valid JSON')
      // A process writes its log a few times a second: the command may have ended before.
      await pollUntil('the line of the second', () => times(REFUSED) > 0)
      expect(times(READ) + times(REFUSED)).toBe(2)
    } finally {
      worker.npm.kill('SIGTERM')
      await Promise.all([worker.ended, stop()])
    }
  })

  it('reload waits for a launcher whose new process has just taken the place of a busy one', async () => {
    writeFormer()
    web = await start(1)
    // What a busy database does: a new process is written down late.
    await mainPool().query(
      `CREATE FUNCTION write_late() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.about->>'isLeaving' = 'false' THEN PERFORM pg_sleep(1.5); END IF; RETURN NEW; END $$;
      CREATE TRIGGER write_late BEFORE INSERT ON holder FOR EACH ROW EXECUTE FUNCTION write_late()`,
    )
    try {
      config.hold()
      const inProgress = chat('acme/one')
      await pollUntil('the call', () => config.held() === 1)
      writeNew()
      const { code, attempts: came, silent } = await runAdminJson(['settings', 'reload'])
      expect({ code, came, silent }).toMatchObject({ code: 0, came: [{ isRefused: false }], silent: [] })
      config.release()
      expect(await inProgress).toEqual({ status: 200, charge: FORMER_CHARGE })
    } finally {
      config.release()
      await mainPool().query('DROP TRIGGER write_late ON holder; DROP FUNCTION write_late()')
      await stop()
    }
  })

  it('check says what is wrong with the files, and changes nothing', async () => {
    const env = { CONFIG_DIR: config.folder, MODELS_FILE: `${config.folder}/models.json`, ACME_KEY: 'new' }
    config.writeModels('[{]')
    const wrong = await runAdminJson(['settings', 'check'], { env })
    expect(wrong).toMatchObject({
      code: 1,
      ok: false,
      problems: [expect.stringContaining('MODELS_FILE is not valid JSON')],
    })
    expect(await runAdminJson(['settings', 'check'], { env: { ...env, MARKUP: 'twice' } })).toMatchObject({ code: 1 })
    writeNew()
    expect(await runAdminJson(['settings', 'check'], { env })).toMatchObject({ code: 0, ok: true, count: 2 })
    expect(await chargedTo(caller.owner)).toBeGreaterThan(0)
  })
})
