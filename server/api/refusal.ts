import { AppError, type ErrorCode, type Issue } from '../errors'

/** A refusal as pages show it. */
export type Refusal = { code: ErrorCode; message: string; issues: Issue[] }

/**
 * The refusal behind an error that a procedure or operation threw; null when it failed for another
 * reason.
 */
export function refusalOf(error: unknown): Refusal | null {
  const refusal = error instanceof AppError ? error : (error as Error | null)?.cause
  if (!(refusal instanceof AppError)) return null
  const { code, message, detail } = refusal
  return { code, message, issues: (detail.issues ?? []) as Issue[] }
}
