type Values = Record<string, unknown>

const WHOLE = /^\$([\w.]+)$/
const PART = /\$\{([\w.]+)\}/g

const valueAt = (values: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Values | null | undefined)?.[name], values)

/**
 * A provider's form from a data file: `"$name"` is replaced by the value of that name, whatever its
 * type, and `${name}` in a text by its text. A field whose value is undefined is left out.
 */
export function fillTemplate<T = Record<string, unknown>>(template: unknown, values: Values): T {
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const whole = WHOLE.exec(part)?.[1]
      return whole
        ? valueAt(values, whole)
        : part.replace(PART, (_, path: string) => String(valueAt(values, path) ?? ''))
    }
    if (Array.isArray(part)) return part.map(fill)
    if (typeof part !== 'object' || part === null) return part
    const filled = Object.entries(part).map(([name, inner]) => [name, fill(inner)] as const)
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
  }
  return fill(template) as T
}
