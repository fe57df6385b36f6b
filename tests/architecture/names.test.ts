import { expect, test } from 'vitest'
import { filesBelow, readSourceFile } from '../support/source-imports'

/** Files whose exports Next names. */
const isNextFile = (file: string) =>
  /^app\/(.*\/)?(page|layout|route|error|global-error|not-found|loading|template|default)\.tsx?$/.test(file)

test('an exported name is defined in one file only', () => {
  const filesOf = new Map<string, string[]>()
  for (const file of filesBelow('server', 'components', 'app', 'tests').filter((name) => !isNextFile(name))) {
    for (const name of readSourceFile(file).exports) filesOf.set(name, [...(filesOf.get(name) ?? []), file])
  }
  const repeated = [...filesOf].filter(([, files]) => files.length > 1)
  expect(repeated.map(([name, files]) => `${name}: ${files.sort().join(' ')}`).sort()).toEqual([])
})
