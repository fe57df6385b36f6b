import 'server-only'
import { notFound } from 'next/navigation'
import { isAppError } from '@/server/errors'

/** What was asked for, or null where it is not there or belongs to someone else. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    const cause = (error as Error).cause
    if (isAppError(cause) && cause.code === 'not_found') return null
    throw error
  }
}

/** What was asked for, or the not-found page. */
export const orNotFound = async <T>(asked: Promise<T>): Promise<T> => (await orNull(asked)) ?? notFound()
