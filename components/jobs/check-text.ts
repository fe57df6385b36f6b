import type { GivenCheck, TestedCheck } from './shape'

/** A kind of check in a word. */
export const CHECK_WORDS: Record<GivenCheck['kind'], string> = {
  contains: 'Contains',
  equals: 'Equals',
  sql: 'SQL',
  judge: 'Judge',
}

/** The models that judge among some checks; undefined: none does. */
export function judgesOf(checks: readonly GivenCheck[] | null | undefined): string[] | undefined {
  const judges = (checks ?? []).flatMap((check) => (check.kind === 'judge' ? [check.model] : []))
  return judges.length > 0 ? judges : undefined
}

/** What a check looks for, as one text. */
export function checkText(check: GivenCheck): string {
  switch (check.kind) {
    case 'contains':
      return check.text
    case 'equals':
      return typeof check.value === 'string' ? check.value : JSON.stringify(check.value)
    case 'sql':
      return check.query
    case 'judge':
      return check.question
    default:
      return check satisfies never
  }
}

/** A check of a run as its start named it. */
export function asCheck({
  kind,
  value = null,
  path,
  text = '',
  query = '',
  model = '',
  question = '',
}: TestedCheck): GivenCheck {
  switch (kind) {
    case 'contains':
      return { kind, text }
    case 'equals':
      return { kind, value: value ?? null, ...(path !== undefined && { path }) }
    case 'sql':
      return { kind, query }
    case 'judge':
      return { kind, model, question }
    default:
      return kind satisfies never
  }
}
