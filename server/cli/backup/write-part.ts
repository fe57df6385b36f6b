import { createHash, type Hash } from 'node:crypto'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { CliError } from '../kit/project'
import type { BackupPart } from './manifest'
import type { BackupPlace } from './place'

/** Counts and hashes what passes. */
function measure(hash: Hash, onBytes: (bytes: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      onBytes(chunk.byteLength)
      done(null, chunk)
    },
  })
}

/** Writes a file of a backup, compressed, and returns what the manifest says about it. */
export async function writeCompressed(
  place: BackupPlace,
  file: string,
  { source, onBytes }: { source: Readable; onBytes: (bytes: number) => void },
): Promise<BackupPart> {
  const hash = createHash('sha256')
  let bytes = 0
  const count = (more: number) => {
    bytes += more
    onBytes(more)
  }
  // Compression takes longer than reading. Its fastest level halves most tables already.
  await pipeline(source, createGzip({ level: constants.Z_BEST_SPEED }), measure(hash, count), (written) =>
    place.write(file, written),
  )
  return { file, bytes, sha256: hash.digest('hex') }
}

/** Throws a CliError unless a file of a backup is as it was written. */
export async function checkPart(place: BackupPlace, { file, bytes, sha256 }: BackupPart): Promise<void> {
  const source = await place.read(file)
  if (source === null) throw new CliError(`The backup is damaged: ${file} is missing. Use another backup.`)
  const hash = createHash('sha256')
  let found = 0
  const count = (more: number) => {
    found += more
  }
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(source, measure(hash, count), nowhere)
  if (found === bytes && hash.digest('hex') === sha256) return
  const why = found === bytes ? 'it was changed' : `it has ${found} bytes of ${bytes}`
  throw new CliError(`The backup is damaged: ${file} is not as it was written (${why}). Use another backup.`)
}
