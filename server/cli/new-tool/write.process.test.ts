import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nameTool } from '../generated/tool-names'
import { PROJECT_ROOT } from '../kit/project'
import { withEntry } from './write'

describe('a name', () => {
  test.each([
    ['Weather', 'weather_forecast'],
    ['weather', 'forecast'],
    ['weather', 'rain_forecast'],
    ['weather', 'weather'],
    ['web', 'web_search'],
    ['media', 'image_blur'],
  ])('is refused: %s %s', (group, id) => {
    expect(() => nameTool(group, id)).toThrow(/one word|The id of a tool|There is a tool|by hand/)
  })

  test.each(['forum', 'crypto', 'videosite'])('is refused where the client of %s is called in its own way', (group) => {
    expect(() => nameTool(group, `${group}_near`)).toThrow(/by hand, after one of its tools/)
  })

  test('of a new group makes its provider’s, one of a group that exists takes it from the settings', () => {
    expect(nameTool('weather', 'weather_next_rain')).toMatchObject({
      isNewGroup: true,
      name: 'weatherNextRain',
      baseUrl: 'WEATHER_BASE_URL',
      path: '/weather/next-rain',
    })
    expect(nameTool('property', 'property_near')).toMatchObject({
      isNewGroup: false,
      baseUrl: 'IDEALISTA_BASE_URL',
      provider: 'idealista',
      path: '/idealista/near',
    })
  })
})

test('an entry is added to the end of a list, with its import', () => {
  const code = "import { a } from './a'\nexport const g = { tools: [a] }\n"
  expect(withEntry(code, 'b', './b')).toBe(
    "import { b } from './b'\nimport { a } from './a'\nexport const g = { tools: [a, b] }\n",
  )
})

/** The project in another folder, as `git` has it, with the packages of this one. */
function copyProject(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-new-tool-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
  })
  const files = listed.stdout.split('\n').filter((file) => file && existsSync(path.join(PROJECT_ROOT, file)))
  for (const file of [...files, 'prisma/generated'])
    cpSync(path.join(PROJECT_ROOT, file), path.join(folder, file), { recursive: true })
  symlinkSync(path.join(PROJECT_ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

const TSCONFIG = JSON.stringify({
  extends: './tsconfig.json',
  include: ['server/tools/**/*.ts', 'server/sandbox/**/*.ts'],
})

/** Every test that looks at each tool. */
const CHECKS = ['agent-tools', 'generated', 'imports', 'names', 'result-names', 'tool-forms', 'tool-groups', 'words']
const DATABASE_CHECKS = ['flows', 'tools']

/** Its tools that are offered, as one line of JSON. */
const OFFERED = `import { availableTools } from './server/tools/registry'
process.stdout.write(JSON.stringify(availableTools().map(({ id }) => id)))`

test('what it writes is green: a group of its own with two tools, and a tool in one that exists', () => {
  const folder = copyProject()
  const run = (command: string, args: string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
    expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
    return stdout
  }
  const node = (args: string[], env?: Record<string, string>) => run(process.execPath, args, env)
  const bin = (name: string, ...args: string[]) => node([path.join('node_modules', '.bin', name), ...args])
  const made = [
    ['weather', 'weather_forecast'],
    ['weather', 'weather_recent_storms'],
    ['property', 'property_near'],
  ]
  for (const tool of made) node(['--import', 'tsx', 'server/cli/new.ts', 'tool', ...tool])

  bin('biome', 'check', '--error-on-warnings', 'server/tools', 'server/sandbox')
  writeFileSync(path.join(folder, 'tsconfig.tools.json'), TSCONFIG)
  bin('tsc', '--checkers', '1', '-p', 'tsconfig.tools.json')
  const test = (project: string, names: string[]) => bin('vitest', 'run', '--project', project, ...names)
  const near = made.map(([group, id]) => `server/tools/${group}/${id}.test.ts`)
  test('pure', [...near, ...CHECKS.map((name) => `tests/architecture/${name}.test.ts`)])
  const each = DATABASE_CHECKS.map((name) => `tests/architecture/${name}.db.test.ts`)
  test('database', [...each, '-t', 'weather_|property_near'])

  const offered = (env: Record<string, string>): string[] =>
    JSON.parse(node(['--import', 'tsx', '--input-type=module', '-e', OFFERED], env))
  const live = { UPSTREAMS: 'live', SANDBOX_URL: '', WEATHER_API_KEY: '', RAPIDAPI_KEY: '' }
  const ids = made.map(([, id]) => id)
  expect(offered(live)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(weather|property)_/)]))
  expect(offered({ ...live, WEATHER_API_KEY: 'k', RAPIDAPI_KEY: 'k' })).toEqual(expect.arrayContaining(ids))
  expect(offered({ UPSTREAMS: 'sandbox' })).toEqual(expect.arrayContaining(ids))
})
