// A worker thread's entry: parses a large body, and hashes it for its Idempotency-Key.
import { createHash } from 'node:crypto'
import { readJsonBytes } from '../kit/read-json'
import { serveParser } from '../kit/threads/serve-parser'
import type { BodyTask, ThreadBody } from './parse-body'

serveParser(
  ({ bytes, bounds }: BodyTask): ThreadBody => ({
    read: readJsonBytes(bytes, bounds),
    hash: createHash('sha256').update(bytes).digest(),
  }),
)
