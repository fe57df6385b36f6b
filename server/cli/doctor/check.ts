/** What was looked at, how it is, and what to do where it is not well. */
export type DoctorCheck = { name: string; state: 'ok' | 'warn' | 'fail'; text: string; advice?: string }

/** How long one look may take, milliseconds. */
export const CHECK_MS = 8_000

export const well = (name: string, text: string): DoctorCheck => ({ name, state: 'ok', text })

export const warning = (name: string, text: string, advice: string): DoctorCheck => ({
  name,
  state: 'warn',
  text,
  advice,
})

export const failure = (name: string, text: string, advice: string): DoctorCheck => ({
  name,
  state: 'fail',
  text,
  advice,
})

/** An error in a few words, with the reason of the connection below it. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException
  if (cause instanceof Error) return reasonOf(cause)
  return code && !message.includes(code) ? `${message} (${code})` : message
}

/** What to do where this user lacks a right on a file; null for another error. */
export function rightsAdvice(error: unknown): string | null {
  const { code, path: file } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  if (code === 'EROFS')
    return `${file ?? 'It'} is on a read-only file system: mount it for writing, or name another folder.`
  if (code !== 'EACCES' && code !== 'EPERM') return null
  return `User ${process.getuid?.()} lacks the right to ${file ?? 'it'}: run the command as the user of the service, or let this one use it (chown, chmod).`
}

/** What a look finds; one that throws has failed. */
export async function look(
  name: string,
  advice: string,
  work: () => Promise<DoctorCheck | DoctorCheck[]>,
): Promise<DoctorCheck[]> {
  try {
    const found = await work()
    return Array.isArray(found) ? found : [found]
  } catch (error) {
    return [failure(name, reasonOf(error), rightsAdvice(error) ?? advice)]
  }
}
