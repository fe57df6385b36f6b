import { notFound } from 'next/navigation'
import type { ErrorCode } from '@/server/errors'
import { server } from './server'

/**
 * The result of a request, or null if it is refused with one of these codes (default: not_found).
 */
export async function nullIfRefused<T>(request: Promise<T>, ...refusals: ErrorCode[]): Promise<T | null> {
  try {
    return await request
  } catch (error) {
    const refusal = server().refusalOf(error)
    if (refusal && (refusals.length > 0 ? refusals : ['not_found']).includes(refusal.code)) return null
    throw error
  }
}

/** The result of a request, or the not-found page, also when the URL has an invalid id. */
export const orNotFound = async <T>(request: Promise<T>): Promise<T> =>
  (await nullIfRefused(request, 'not_found', 'invalid_request')) ?? notFound()
