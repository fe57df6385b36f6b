import 'server-only'
import { notFound } from 'next/navigation'
import { type ErrorCode, isAppError } from '@/server/errors'

/** What was asked for, or null where the answer is this refusal: by default, that it is not there or someone else's. */
export async function orNull<T>(asked: Promise<T>, refusal: ErrorCode = 'not_found'): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    const cause = (error as Error).cause
    if (isAppError(cause) && cause.code === refusal) return null
    throw error
  }
}

/** What was asked for, or the not-found page. */
export const orNotFound = async <T>(asked: Promise<T>): Promise<T> => (await orNull(asked)) ?? notFound()
