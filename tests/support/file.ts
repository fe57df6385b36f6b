import { randomBytes } from 'node:crypto'
import { prisma } from '../../server/db'

/** A row of a hosted file, without its bytes. */
export const makeFile = (ownerId: number, more: { bytes?: number; contentType?: string; createdAt?: Date } = {}) =>
  prisma().file.create({
    data: { id: randomBytes(16).toString('hex'), ownerId, contentType: 'image/png', bytes: 10, ...more },
  })
