import type { OAuthFields } from '../../oauth/shape'

/** The parameters of a query string or a form, as OAuth's procedures take them. */
export function toFields(params: URLSearchParams): OAuthFields {
  const names = new Set(params.keys())
  return Object.fromEntries(
    [...names].map((name) => {
      const [first = '', ...more] = params.getAll(name)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
}
