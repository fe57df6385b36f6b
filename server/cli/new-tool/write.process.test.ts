import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PROJECT_ROOT } from '../project'
import { nameTool } from './names'
import { newToolFiles, withEntry } from './write'

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

/** Its files see those of the project: `rootDirs` lays one tree over the other. */
const TSCONFIG = {
  extends: '../../tsconfig.json',
  compilerOptions: { rootDirs: ['../..', '.'], noEmit: true, incremental: false },
  include: ['server/**/*.ts'],
  exclude: [],
}

test('the files of a tool in a new group and in one that exists have no type errors', () => {
  // Inside the project, so that packages are found.
  const folder = path.join(PROJECT_ROOT, '.data', `new-tool-${process.pid}`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = {
    ...newToolFiles(nameTool('weather', 'weather_forecast')),
    ...newToolFiles(nameTool('property', 'property_near')),
    'tsconfig.json': JSON.stringify(TSCONFIG),
  }
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(folder, file), code)
  }
  const tsc = path.join(PROJECT_ROOT, 'node_modules/.bin/tsc')
  expect(spawnSync(tsc, ['-p', folder], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' })
})
