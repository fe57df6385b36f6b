import { server } from '../server'

/** Why a form was refused: a sentence, or errors by field. */
export function refusedForm(error: unknown): { error?: string; fields?: Record<string, string> } {
  const refusal = server().refusalOf(error)
  if (!refusal) {
    server().log.error({ err: (error as Error).message }, 'a form failed')
    return { error: 'An internal error occurred. Nothing was changed. Try again.' }
  }
  const { message, issues } = refusal
  if (issues.length === 0) return { error: message }
  return { fields: Object.fromEntries(issues.toReversed().map(({ path, message }) => [path, message])) }
}

/** The text of a form's field; empty for a file or a missing one. */
export const formText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
