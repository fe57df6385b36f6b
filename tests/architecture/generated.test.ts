import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatedFiles } from '../../server/cli/generated/files'
import { SOURCE_ROOT } from '../support/source-imports'

describe.each(Object.entries(generatedFiles()))('%s', (file, text) => {
  test('is what `npm run generate` writes', () => {
    expect(readFileSync(path.join(SOURCE_ROOT, file), 'utf8')).toBe(text)
  })
})
