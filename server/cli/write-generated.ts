import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { generatedFiles } from './generated/files'
import { PROJECT_ROOT } from './kit/project'

/**
 * `npm run generate`: writes what is derived from the definitions of tools, groups and settings.
 */
for (const [file, text] of Object.entries(generatedFiles())) {
  const target = path.join(PROJECT_ROOT, file)
  if (readFileSync(target, 'utf8') === text) continue
  writeFileSync(target, text)
  process.stdout.write(`${file} was written.\n`)
}
