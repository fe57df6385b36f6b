'use client'

import { useState } from 'react'
import { Button } from '../ui/button'
import { Field, Input, Select, Textarea } from '../ui/field'
import { checkText } from './check-text'
import type { GivenCheck } from './shape'

/** As many as a run may have. */
const MAX_CHECKS = 10

const KINDS: Record<GivenCheck['kind'], { choice: string; label: string; hint: string }> = {
  contains: { choice: 'Contains a text', label: 'Text', hint: 'In any case' },
  equals: { choice: 'Equals', label: 'Value', hint: 'The whole result; with an output schema the output, as JSON' },
  sql: {
    choice: 'SQL over datasets',
    label: 'Query',
    hint: 'SELECT …: passes where its first cell is true or not 0. Each dataset is a table with its name',
  },
  judge: { choice: 'A model answers yes', label: 'Question', hint: 'Such as: Does it name a source for each number?' },
}
const isKind = (kind: string): kind is GivenCheck['kind'] => kind in KINDS

type Row = { id: number; kind: GivenCheck['kind']; of?: GivenCheck }
type Props = { models: { id: string; name: string }[]; of?: readonly GivenCheck[]; error: string | null }

/** One check, as fields `check-<at>-…` of a form. */
function CheckRow({
  row,
  at,
  models,
  onKind,
  onRemove,
}: { row: Row; at: number; models: Props['models'] } & {
  onKind: (kind: GivenCheck['kind']) => void
  onRemove: () => void
}) {
  const { kind, of } = row
  const name = (field: string) => `check-${at}-${field}`
  const { label, hint } = KINDS[kind]
  return (
    <fieldset className="grid min-w-0 gap-3 rounded border p-3">
      <legend className="px-1 text-caption text-muted">Check {at + 1}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Passes where the result">
          {(control) => (
            <Select
              {...control}
              name={name('kind')}
              value={kind}
              onChange={({ target }) => isKind(target.value) && onKind(target.value)}
            >
              {Object.entries(KINDS).map(([id, { choice }]) => (
                <option key={id} value={id}>
                  {choice}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {kind === 'judge' && (
          <Field label="Judge" hint="Each answer costs credits, as a message of this model does">
            {(control) => (
              <Select {...control} name={name('model')} defaultValue={of?.kind === 'judge' ? of.model : models[0]?.id}>
                {models.map((model) => (
                  <option key={model.id} value={model.id}>
                    {model.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {kind === 'equals' && (
          <Field label="Path in the output" hint="With an output schema, such as /items/0/price; empty: all of it">
            {(control) => (
              <Input
                {...control}
                name={name('path')}
                maxLength={500}
                pattern="/.*"
                title="Begins with /"
                defaultValue={of?.kind === 'equals' ? of.path : undefined}
              />
            )}
          </Field>
        )}
      </div>
      <Field label={label} hint={hint}>
        {(control) => (
          <Textarea
            {...control}
            name={name('text')}
            rows={2}
            required
            maxLength={kind === 'sql' || kind === 'equals' ? 20_000 : 2_000}
            defaultValue={of?.kind === kind ? checkText(of) : undefined}
          />
        )}
      </Field>
      <div>
        <Button size="small" onClick={onRemove}>
          Remove check {at + 1}
        </Button>
      </div>
    </fieldset>
  )
}

/** What the result of a run must be like, as fields of a form; folded while there is nothing. */
export function CheckFields({ models, of = [], error }: Props) {
  const [rows, setRows] = useState<Row[]>(() => of.map((check, id) => ({ id, kind: check.kind, of: check })))
  const add = () =>
    setRows((before) => [...before, { id: Math.max(-1, ...before.map(({ id }) => id)) + 1, kind: 'contains' }])
  const change = (id: number, kind: GivenCheck['kind']) =>
    setRows((before) => before.map((row) => (row.id === id ? { ...row, kind } : row)))
  return (
    <details open={of.length > 0 || error !== null} className="rounded border p-3">
      <summary className="cursor-pointer text-table font-medium">Checks of the result</summary>
      <p className="mt-2 text-caption text-muted">
        Tested when a run has its result. They cost nothing, except a model that judges: its answer is charged to the
        run, within its spend limit, and is in the estimate.
      </p>
      <div className="mt-3 grid gap-3">
        {rows.map((row, at) => (
          <CheckRow
            key={row.id}
            row={row}
            at={at}
            models={models}
            onKind={(kind) => change(row.id, kind)}
            onRemove={() => setRows((before) => before.filter(({ id }) => id !== row.id))}
          />
        ))}
        {error && (
          <p role="alert" className="text-caption text-bad">
            {error}
          </p>
        )}
        <div>
          <Button size="small" onClick={add} disabled={rows.length >= MAX_CHECKS}>
            Add a check
          </Button>
          {rows.length >= MAX_CHECKS && <span className="ml-3 text-caption text-muted">A run has at most ten.</span>}
        </div>
      </div>
    </details>
  )
}

/** The models that judge in a form, one for each such check. */
export const judgesIn = (form: FormData): string[] =>
  Array.from({ length: MAX_CHECKS }, (_, at) => form.get(`check-${at}-model`)).filter(
    (model) => typeof model === 'string',
  )

/** The checks of a form; null: none. `hasSchema`: values are JSON, else texts. */
export function readChecks(form: FormData, hasSchema: boolean): { value: GivenCheck[] | null; error?: string } {
  const text = (at: number, field: string) => String(form.get(`check-${at}-${field}`) ?? '').trim()
  const checks = Array.from({ length: MAX_CHECKS }, (_, at) => at).flatMap((at): GivenCheck[] => {
    const given = text(at, 'text')
    const kind = text(at, 'kind')
    if (!isKind(kind)) return []
    switch (kind) {
      case 'contains':
        return [{ kind, text: given }]
      case 'sql':
        return [{ kind, query: given }]
      case 'judge':
        return [{ kind, model: text(at, 'model'), question: given }]
      case 'equals': {
        const path = text(at, 'path')
        return [{ kind, value: hasSchema ? jsonOrText(given) : given, ...(path && { path }) }]
      }
      default:
        return kind satisfies never
    }
  })
  const isStray = !hasSchema && checks.some((check) => check.kind === 'equals' && check.path !== undefined)
  if (isStray) return { value: null, error: 'A path leads into the output: give an output schema too.' }
  return { value: checks.length > 0 ? checks : null }
}

function jsonOrText(text: string): Extract<GivenCheck, { kind: 'equals' }>['value'] {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
