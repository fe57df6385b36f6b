import type { CompletionBody, PromptParts } from '../completion'

/** Adds the top-level fields of a body that are not in `known`: any may be part of a prompt. */
export function addOtherFields(body: CompletionBody, known: ReadonlySet<string>, parts: PromptParts): void {
  for (const [name, value] of Object.entries(body)) {
    if (known.has(name)) continue
    if (typeof value === 'string') parts.texts.push(value)
    else if (typeof value === 'object' && value !== null) parts.texts.push(JSON.stringify(value))
  }
}
