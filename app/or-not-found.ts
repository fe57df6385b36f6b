import { notFound } from 'next/navigation'
import type { ErrorCode } from '@/server/errors'
import { server } from './server'

/** What was asked for, or null where the answer is such a refusal: by default, that it is not there or someone else's. */
export async function nullIfRefused<T>(asked: Promise<T>, ...refusals: ErrorCode[]): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    const refusal = server().refusalOf(error)
    if (refusal && (refusals.length > 0 ? refusals : ['not_found']).includes(refusal.code)) return null
    throw error
  }
}

/** What was asked for, or the not-found page, also where the address holds something that cannot be an id. */
export const orNotFound = async <T>(asked: Promise<T>): Promise<T> =>
  (await nullIfRefused(asked, 'not_found', 'invalid_request')) ?? notFound()
