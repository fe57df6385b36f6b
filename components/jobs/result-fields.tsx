import { Field, Input, Textarea } from '../ui/field'

type Props = { callbackUrl?: string; outputSchema?: Record<string, unknown>; error: string | null }

/** Where the result goes and which form it has, as fields of a form; folded while empty. */
export const ResultFields = ({ callbackUrl, outputSchema, error }: Props) => (
  <details open={Boolean(callbackUrl ?? outputSchema ?? error)} className="rounded border p-3">
    <summary className="cursor-pointer text-table font-medium">Result for programs</summary>
    <div className="mt-3 grid gap-3">
      <Field label="Callback URL" hint="Gets a signed POST when a run has completed or failed, or needs input">
        {(control) => <Input {...control} name="callbackUrl" type="url" maxLength={2_000} defaultValue={callbackUrl} />}
      </Field>
      <Field label="Output schema" hint="JSON Schema of the result" error={error ?? undefined}>
        {(control) => (
          <Textarea
            {...control}
            name="outputSchema"
            rows={4}
            maxLength={100_000}
            spellCheck={false}
            defaultValue={outputSchema && JSON.stringify(outputSchema, null, 2)}
          />
        )}
      </Field>
    </div>
  </details>
)

/** The JSON Schema of a form's field; nothing where it is empty. */
export function readOutputSchema(form: FormData): { value?: Record<string, unknown>; error?: string } {
  const text = String(form.get('outputSchema') ?? '').trim()
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: { ...value } }
  } catch {
    // The error below says it.
  }
  return { error: 'Enter a JSON object, such as {"type": "object"}' }
}
