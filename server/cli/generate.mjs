// npm's postinstall: generates the database client and remembers from which schema.
import { generate } from './setup/install.mjs'
import { command } from './setup/steps.mjs'

await command(async () => {
  await generate()
  return 0
})
