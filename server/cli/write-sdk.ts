import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from './kit/project'
import { sdkFiles } from './sdk/files'

/** `npm run sdk`: writes the parts of the typed clients that follow from the OpenAPI document. */
for (const [file, text] of Object.entries(await sdkFiles())) {
  writeFileSync(path.join(PROJECT_ROOT, file), text)
  process.stdout.write(`${file} was written.\n`)
}
