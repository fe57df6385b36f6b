// Compresses scripts and styles of the pages once, as well as Brotli can: `serve-static.ts` sends
// them so to browsers that read it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { at } from './setup/root.mjs'

const folder = at('.next', 'static')

for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.js') && !name.endsWith('.css')) continue
  const file = path.join(folder, name)
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
}
