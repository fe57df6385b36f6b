import { expect, test } from 'vitest'
import { asRunHere } from './project'

test('where there is no npm, commands are named as they are run there', () => {
  const said = 'Run npm run admin -- doctor, npm run db:migrate -- status, npm start and npm run worker.'
  expect(asRunHere(said, false)).toBe(said)
  expect(asRunHere(said, true)).toBe('Run admin doctor, migrate status, web and worker.')
  expect(asRunHere('Not set. npm run quickstart sets up a sandbox. So.', true)).toBe('Not set. So.')
  expect(asRunHere('lacks a migration: run npm run db:migrate.', true)).toBe('lacks a migration: run migrate.')
  expect(asRunHere('web runs them, and npm run sandbox.', true)).toBe('web runs them, and sandbox.')
  expect(asRunHere('init [options of npm run setup]', true)).toBe('init [options of setup]')
})
