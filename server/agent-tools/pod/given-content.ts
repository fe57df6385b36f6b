import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { prisma } from '../../db'
import { AppError, invalidParameter } from '../../errors'
import { isFileId } from '../../files/shape'
import { fileStore } from '../../files/store'
import { findMainPart } from '../../kit/json-path'
import { isRecord } from '../../kit/record'
import type { AgentCaller } from '../../tools/flow'
import { podPathParam } from './path'
import type { PodFileInput } from './pod-tasks'
import { MAX_UPLOADED_BYTES } from './store'

const MAX_CHARS = 2 * 1024 * 1024

/** The parameters that say what is written into a file of a pod, and where. */
export const FILE_TO_WRITE = {
  path: podPathParam.describe('Where: absolute, or relative to the current folder'),
  content: z.string().max(MAX_CHARS).optional().describe('The content of the file'),
  fromStep: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Instead of content: the number of an earlier step, whose whole result is written, also what you were not shown: ' +
        'the text of a page, rows as JSON, or the image, video or file that it made',
    ),
  encoding: z.enum(['text', 'base64']).default('text').describe('Encoding of content'),
  append: z.boolean().default(false).describe('Add to the end of the file instead of replacing it'),
}

type FileToWrite = z.output<z.ZodObject<typeof FILE_TO_WRITE>>
type Caller = Pick<AgentCaller, 'ownerId' | 'earlierOutput'>

/**
 * The file that an input has written. Throws `invalid_request` unless it has exactly one of
 * `content` and `fromStep`, and for a step without a result.
 */
export async function givenContent(
  { content, fromStep, ...file }: FileToWrite,
  { ownerId, earlierOutput }: Caller,
): Promise<PodFileInput> {
  if ((content === undefined) === (fromStep === undefined))
    throw invalidParameter('content', 'Give exactly one of content and fromStep')
  if (fromStep === undefined) return { ...file, content: content ?? '' }
  if (!earlierOutput) throw invalidParameter('fromStep', 'there are no earlier steps')
  const output = earlierOutput(fromStep)
  const made = await hostedBytes(ownerId, output)
  if (made) return { ...file, content: made.toString('base64'), encoding: 'base64' }
  return { ...file, content: textOf(output, file.path), encoding: 'text' }
}

/** A text as it is; the main text of a result; else the result as JSON. */
function textOf(output: unknown, path: string): string {
  if (typeof output === 'string') return output
  const { value } = findMainPart(output)
  return typeof value === 'string' && !path.endsWith('.json') ? value : `${JSON.stringify(output, null, 2)}\n`
}

/** The bytes of the hosted file of this owner that a result is; null for any other result. */
async function hostedBytes(ownerId: number, output: unknown): Promise<Buffer | null> {
  const url = isRecord(output) ? output.url : undefined
  const id = typeof url === 'string' ? url.slice(url.lastIndexOf('/') + 1) : ''
  const found = isFileId(id) ? await prisma().file.findUnique({ where: { id, ownerId } }) : null
  if (!found) return null
  if (found.bytes > MAX_UPLOADED_BYTES)
    throw invalidParameter('fromStep', `that file has ${found.bytes} bytes; the shell takes ${MAX_UPLOADED_BYTES}`)
  const stored = await fileStore().get(id)
  if (!stored) throw new AppError('not_found', 'That file is no longer stored.')
  return buffer(stored)
}
