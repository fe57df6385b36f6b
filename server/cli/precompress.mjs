// Compresses scripts and styles of the pages once, as well as Brotli can: `serve-static.ts` sends
// them so to browsers that read it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { at } from './setup/root.mjs'

const folder = at('.next', 'static')

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
// All at once: Node compresses in threads, as many as there is work for.
await Promise.all(
  names
    .filter((name) => name.endsWith('.js') || name.endsWith('.css'))
    .map(async (name) => {
      const file = path.join(folder, name)
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(readFileSync(file)))
    }),
)
