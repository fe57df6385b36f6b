/** What of a form's element a draft is about. */
export type DraftField = { name: string; type: string; value: string; checked?: boolean; autocomplete?: string }

/** Values by the name of their fields; of checkboxes and radio buttons the chosen ones. */
export type FieldsDraft = Record<string, string[]>

const UNKEPT = ['password', 'hidden', 'file', 'submit', 'button', 'reset']

/** Secrets stay out of drafts, and so does what nobody typed. */
const isKept = ({ name, type, autocomplete = '' }: DraftField): boolean =>
  name !== '' && !UNKEPT.includes(type) && !autocomplete.includes('password') && autocomplete !== 'one-time-code'

const isChoice = ({ type }: DraftField): boolean => type === 'checkbox' || type === 'radio'

/** The draft of a form with these fields. */
export function draftOfFields(fields: readonly DraftField[]): FieldsDraft {
  const draft: FieldsDraft = {}
  for (const field of fields.filter(isKept)) {
    const values = draft[field.name] ?? []
    if (!isChoice(field) || field.checked) values.push(field.value)
    draft[field.name] = values
  }
  return draft
}

/**
 * What has to be done to each field for it to be as in a draft: a new text, a click, or nothing.
 * Fields of one name take its values in their order.
 */
export function changesToDraft<F extends DraftField>(fields: readonly F[], draft: FieldsDraft) {
  const seen = new Map<string, number>()
  return fields.filter(isKept).flatMap((field): { field: F; set: string | 'click' }[] => {
    const values = draft[field.name]
    if (!values) return []
    if (isChoice(field)) {
      const isWanted = values.includes(field.value)
      // A radio button is left by clicking another one.
      if (isWanted === field.checked || (field.type === 'radio' && !isWanted)) return []
      return [{ field, set: 'click' }]
    }
    const at = seen.get(field.name) ?? 0
    seen.set(field.name, at + 1)
    const value = values[at]
    return value === undefined || value === field.value ? [] : [{ field, set: value }]
  })
}

/** A draft as it was stored; null for anything else. */
export function parseFieldsDraft(text: string | null): FieldsDraft | null {
  const stored: unknown = text === null ? null : JSON.parse(text)
  const isDraft =
    typeof stored === 'object' &&
    stored !== null &&
    Object.values(stored).every((values) => Array.isArray(values) && values.every((v) => typeof v === 'string'))
  return isDraft ? (stored as FieldsDraft) : null
}
