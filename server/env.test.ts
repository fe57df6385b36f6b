import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineSettings, EnvError, readEnv, readSettings } from './env'
import { textSetting, urlSetting } from './env/schemas'

const required = { DATABASE_URL: 'postgresql://u:p@127.0.0.1:5432/d', AUTH_SECRET: 'x'.repeat(32) }

function linesOf(source: Record<string, string | undefined>): string[] {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return error.lines
    throw error
  }
  return []
}

test('two variables are enough, and then it is live, closed and gives nothing away', () => {
  expect(readEnv(required)).toMatchObject({
    UPSTREAMS: 'live',
    sandbox: false,
    PORT: 3000,
    PUBLIC_URL: 'http://localhost:3000',
    SIGNUP: 'closed',
    SIGNUP_CREDITS: 0,
    CREDITS_PER_USD: 2778,
    MARKUP: 1.2,
    TRUST_PROXY: 0,
    ALLOW_PRIVATE_HOSTS: [],
  })
})

test('sandbox mode opens sign-up with credits and lets tools fetch from the sandbox', () => {
  const env = readEnv({ ...required, UPSTREAMS: 'sandbox' })
  expect(env).toMatchObject({ sandbox: true, SIGNUP: 'open', SIGNUP_CREDITS: 10_000 })
  expect(env.ALLOW_PRIVATE_HOSTS).toContain('127.0.0.1:4010')
})

test('a mix keeps the defaults of its mode, and reaches the sandbox', () => {
  const mixed = readEnv({ ...required, SANDBOX_PROVIDERS: 'Reddit, x' })
  expect(mixed).toMatchObject({ mode: 'mixed', sandbox: false, usesSandbox: true, SIGNUP: 'closed' })
  expect(mixed.SANDBOX_PROVIDERS).toEqual(['reddit', 'x'])
  expect(mixed.ALLOW_PRIVATE_HOSTS).toContain('127.0.0.1:4010')
  expect(readEnv({ ...required, UPSTREAMS: 'sandbox', LIVE_PROVIDERS: 'search' })).toMatchObject({
    mode: 'mixed',
    sandbox: true,
    SIGNUP: 'open',
  })
  expect(readEnv(required)).toMatchObject({ mode: 'live', usesSandbox: false })
})

test('a sandbox listens on this machine only by default, a live one on every address', () => {
  expect(readEnv({ ...required, UPSTREAMS: 'sandbox' }).HOST).toBe('127.0.0.1')
  expect(readEnv({ ...required, UPSTREAMS: 'sandbox', HOST: '0.0.0.0' }).HOST).toBe('0.0.0.0')
  expect(readEnv(required).HOST).toBeUndefined()
  expect(readEnv({ ...required, HOST: '10.0.0.1' }).HOST).toBe('10.0.0.1')
})

test('files are kept in the data folder unless another place is set', () => {
  expect(readEnv(required).STORAGE_URL).toBe('file:.data/files')
  expect(readEnv({ ...required, DATA_DIR: '/srv/tollgate' }).STORAGE_URL).toBe('file:/srv/tollgate/files')
  expect(readEnv({ ...required, DATA_DIR: '/srv/tollgate', STORAGE_URL: 'file:/mnt' }).STORAGE_URL).toBe('file:/mnt')
})

test('explicit settings apply in the sandbox too', () => {
  expect(readEnv({ ...required, UPSTREAMS: 'sandbox', SIGNUP: 'closed', SIGNUP_CREDITS: '5' })).toMatchObject({
    SIGNUP: 'closed',
    SIGNUP_CREDITS: 5,
  })
})

test('an empty variable counts as absent', () => {
  expect(readEnv({ ...required, PUBLIC_URL: '', PORT: '', MARKUP: '' })).toMatchObject({ PORT: 3000, MARKUP: 1.2 })
})

test('a trailing slash of a URL is dropped', () => {
  expect(readEnv({ ...required, PUBLIC_URL: 'https://api.example.com/' }).PUBLIC_URL).toBe('https://api.example.com')
})

test('a number out of range is answered with the range', () => {
  expect(linesOf({ ...required, PORT: '70000' })).toEqual(['PORT must be a whole number from 1 to 65535'])
  expect(linesOf({ ...required, PORT: '1.5' })).toEqual(['PORT must be a whole number from 1 to 65535'])
})

test('half of what belongs together is refused', () => {
  expect(linesOf({ ...required, AUTH_GITHUB_ID: 'x' })).toEqual([
    'AUTH_GITHUB_ID and AUTH_GITHUB_SECRET must be set together',
  ])
  const settings = defineSettings({
    provider: 'weather',
    schema: z.object({ WEATHER_ID: textSetting.optional(), WEATHER_SECRET: textSetting.optional() }),
    together: ['WEATHER_ID', 'WEATHER_SECRET'],
    sandbox: () => ({}),
  })
  expect(() => readEnv({ ...required, WEATHER_SECRET: 'x' }, [settings])).toThrow(
    'WEATHER_ID and WEATHER_SECRET must be set together',
  )
  expect(() => readEnv({ ...required, WEATHER_ID: 'y', WEATHER_SECRET: 'x' }, [settings])).not.toThrow()
})

test('lists of hosts are split, lower-cased and need a port', () => {
  const list = 'Localhost:80, 10.0.0.1:8080 ,[::1]:81,'
  expect(readEnv({ ...required, ALLOW_PRIVATE_HOSTS: list }).ALLOW_PRIVATE_HOSTS).toEqual([
    'localhost:80',
    '10.0.0.1:8080',
    '[::1]:81',
  ])
  expect(linesOf({ ...required, ALLOW_PRIVATE_HOSTS: 'localhost' })).toEqual([
    'ALLOW_PRIVATE_HOSTS must be a comma list of host:port',
  ])
})

test.each([
  ['DATABASE_URL', undefined],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'nonsense'],
  ['AUTH_SECRET', undefined],
  ['AUTH_SECRET', 'short'],
  ['PUBLIC_URL', 'ftp://x'],
  ['SITES_URL', 'sites.example'],
  ['SITES_URL', 'https://sites.example/path'],
  ['SITES_URL', 'http://localhost:3000'],
  ['UPSTREAMS', 'both'],
  ['SANDBOX_URL', 'x'],
  ['SIGNUP', 'maybe'],
  ['SIGNUP_CREDITS', '-1'],
  ['SIGNUP_CREDITS', '1.5'],
  ['TRUST_PROXY', 'yes'],
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', 'http'],
  ['ENCRYPTION_KEY', 'zz'],
  ['AGENT_WAIT_MAX_S', '0'],
  ['CREDITS_PER_USD', '0'],
  ['MARKUP', '0.9'],
  ['STORAGE_URL', 'ftp:x'],
  ['STORAGE_URL', 's3://bucket'],
  ['STORAGE_URL', 's3://key@host/bucket'],
  ['STORAGE_URL', 's3://key:secret@host/'],
  ['PUBLIC_URL', 'https://x.example/tollgate'],
  ['PUBLIC_URL', 'https://x.example/?a'],
  ['LOG_LEVEL', 'loud'],
])('a wrong %s (%s) is named, with what it must be, and never repeated', (name, value) => {
  const lines = linesOf({ ...required, [name]: value })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(new RegExp(`^${name} \\S+`))
})

test('several wrong variables are all named, a line each', () => {
  expect(linesOf({ PORT: 'x', MARKUP: '0' }).map((line) => line.split(' ')[0])).toEqual([
    'DATABASE_URL',
    'AUTH_SECRET',
    'PORT',
    'MARKUP',
  ])
})

test.each(['GITHUB', 'GOOGLE'])('half of %s’s settings is refused', (provider) => {
  expect(linesOf({ ...required, [`AUTH_${provider}_ID`]: 'x' })).toEqual([
    `AUTH_${provider}_ID and AUTH_${provider}_SECRET must be set together`,
  ])
})

describe('the settings of a module', () => {
  const settings = defineSettings({
    provider: 'weather',
    schema: z.object({ API_URL: urlSetting.default('https://api.example'), API_KEY: textSetting.optional() }),
    sandbox: (sandboxUrl) => ({ API_URL: `${sandboxUrl}/api`, API_KEY: undefined }),
  })
  const live = {
    UPSTREAMS: 'live' as const,
    LIVE_PROVIDERS: [],
    SANDBOX_PROVIDERS: [],
    SANDBOX_URL: 'http://127.0.0.1:4010',
  }

  test('are read from the environment in live mode', () => {
    expect(readSettings(settings, { API_KEY: 'k' }, live)).toEqual({ API_URL: 'https://api.example', API_KEY: 'k' })
  })

  test('are those of the simulation in sandbox mode, whatever the environment says', () => {
    const read = readSettings(settings, { API_KEY: 'k', API_URL: 'https://other' }, { ...live, UPSTREAMS: 'sandbox' })
    expect(read).toEqual({ API_URL: 'http://127.0.0.1:4010/api', API_KEY: undefined })
  })

  test('are its own in a mix that names its provider', () => {
    const own = { API_URL: 'https://api.example', API_KEY: 'k' }
    const simulated = { API_URL: 'http://127.0.0.1:4010/api', API_KEY: undefined }
    const read = (mode: object) => readSettings(settings, { API_KEY: 'k' }, { ...live, ...mode })
    expect(read({ UPSTREAMS: 'sandbox', LIVE_PROVIDERS: ['weather'] })).toEqual(own)
    expect(read({ UPSTREAMS: 'sandbox', LIVE_PROVIDERS: ['models'] })).toEqual(simulated)
    expect(read({ SANDBOX_PROVIDERS: ['weather'] })).toEqual(simulated)
    expect(read({ SANDBOX_PROVIDERS: ['models'] })).toEqual(own)
  })

  test.each([
    [{ UPSTREAMS: 'live', LIVE_PROVIDERS: 'weather' }, /^LIVE_PROVIDERS applies with UPSTREAMS=sandbox only/],
    [{ UPSTREAMS: 'sandbox', SANDBOX_PROVIDERS: 'weather' }, /^SANDBOX_PROVIDERS applies with UPSTREAMS=live only/],
    [{ UPSTREAMS: 'sandbox', LIVE_PROVIDERS: 'weather,wether' }, /^LIVE_PROVIDERS has the unknown name wether/],
    [{ UPSTREAMS: 'live', SANDBOX_PROVIDERS: 'nobody' }, /Known are: models, weather$/],
    [{ UPSTREAMS: 'sandbox', LIVE_PROVIDERS: 'models' }, /^MODELS_FILE must be set/],
  ])('%j is refused', (source, line) => {
    const lines = () => {
      try {
        readEnv({ ...required, ...source }, [settings])
      } catch (error) {
        return (error as EnvError).lines
      }
    }
    expect(lines()).toEqual([expect.stringMatching(line)])
  })

  test('are checked together with those of the server, a line each', () => {
    expect(() => readEnv({ ...required, PORT: 'x', API_URL: 'x' }, [settings])).toThrow(
      expect.objectContaining({
        lines: ['PORT must be a whole number from 1 to 65535', 'API_URL must be an http(s) URL'],
      }),
    )
  })
})
