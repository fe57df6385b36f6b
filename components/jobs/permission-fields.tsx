import type { Permission, Permissions } from '@/server/agent/shape'
import { Field, Input } from '../ui/field'

/** What each kind of permission lets a run do. */
const KINDS: Record<Permission['kind'], { label: string; hint: string; may: (name: string) => string }> = {
  hosts: {
    label: 'Open pages of these hosts',
    hint: 'Such as api.example.com, docs.example.com',
    may: (name) => `Open pages of ${name}, whatever it has read`,
  },
  sites: {
    label: 'Publish and replace these sites',
    hint: 'Names, such as weekly-report',
    may: (name) => `Publish and replace the site ${name}`,
  },
  datasets: {
    label: 'Replace these datasets',
    hint: 'Names, such as prices',
    may: (name) => `Replace the dataset ${name}`,
  },
  exports: {
    label: 'Make public links to these datasets',
    hint: 'Everybody who gets such a link can read all rows',
    may: (name) => `Make public links to the dataset ${name}`,
  },
}
const NAMES = Object.keys(KINDS) as Permission['kind'][]

/** A permission as a sentence. */
export const permissionText = ({ kind, name }: Permission): string => KINDS[kind].may(name)

/** Permissions one by one. */
export const listPermissions = (permissions: Permissions = {}): Permission[] =>
  NAMES.flatMap((kind) => (permissions[kind] ?? []).map((name) => ({ kind, name })))

/** Permissions with some more. */
export const withPermissions = (permissions: Permissions = {}, more: readonly Permission[]): Permissions =>
  Object.fromEntries(
    NAMES.flatMap((kind) => {
      const added = more.flatMap((one) => (one.kind === kind ? [one.name] : []))
      const names = [...new Set([...(permissions[kind] ?? []), ...added])]
      return names.length > 0 ? [[kind, names]] : []
    }),
  )

/** What runs may do without asking, as fields of a form; folded while there is nothing. */
export const PermissionFields = ({ of = {} }: { of?: Permissions }) => (
  <details open={listPermissions(of).length > 0} className="rounded border p-3">
    <summary className="cursor-pointer text-table font-medium">May do without asking</summary>
    <p className="mt-2 text-caption text-muted">
      Otherwise a run that has read your data and text by strangers waits for your approval. What looks like a secret is
      asked about all the same. Separate names with commas.
    </p>
    <div className="mt-3 grid gap-3 sm:grid-cols-2">
      {NAMES.map((kind) => (
        <Field key={kind} label={KINDS[kind].label} hint={KINDS[kind].hint}>
          {(control) => (
            <Input
              {...control}
              name={`may-${kind}`}
              defaultValue={of[kind]?.join(', ')}
              maxLength={4_000}
              autoCapitalize="off"
              spellCheck={false}
            />
          )}
        </Field>
      ))}
    </div>
  </details>
)

/** The permissions of a form; null: none. */
export function readPermissions(form: FormData): Permissions | null {
  const given = NAMES.flatMap((kind) => {
    const names = String(form.get(`may-${kind}`) ?? '').split(/[\s,]+/)
    return names.filter((name) => name !== '').map((name) => ({ kind, name }))
  })
  return given.length > 0 ? withPermissions({}, given) : null
}
