import { accessSync, constants, statSync } from 'node:fs'
import { z } from 'zod'
import { withoutTrailingSlashes } from '../kit/trailing-slashes'

/** Text that is not empty. */
export const textSetting = z.string().trim().min(1)

/** An http or https URL, read without its trailing slashes. */
export const urlSetting = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .transform(withoutTrailingSlashes)

/** The URL of a host, without a path. */
export const originSetting = urlSetting.refine(isBareHost, 'must be an http(s) URL without a path')

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The address of an OpenID Connect issuer, as it is written: issuers are compared by it. */
export const issuerSetting = z.url().refine((issuer) => {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}, 'must be an https URL, or http on this machine')

/** A whole number within bounds. */
export const integerSetting = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error)
}

/** The path of a program. */
export const executableSetting = textSetting.refine(isExecutable, 'must be the path of a program')

/** Where files are stored: a folder, or a bucket with its credentials. */
export const storageSetting = z
  .string()
  .refine(
    (location) => /^file:./.test(location) || isBucket(location),
    'must be file:<folder> or s3://<key>:<secret>@<host>/<bucket>',
  )

/** A comma-separated list of names, in lower case. */
export const namesSetting = z
  .string()
  .transform((list) => list.split(',').map((name) => name.trim().toLowerCase()))
  .transform((list) => [...new Set(list.filter((name) => name !== ''))])

/** A comma-separated list of waits in seconds, each up to a week. */
export const waitsSetting = z
  .string()
  .transform((list) => list.split(',').map((wait) => (wait.trim() === '' ? Number.NaN : Number(wait))))
  .refine(
    (waits) => waits.length <= 20 && waits.every((wait) => wait >= 0 && wait <= 604_800),
    'must be a comma list of at most 20 waits in seconds',
  )

/** A comma-separated list of host:port, in lower case. */
export const hostPortsSetting = z
  .string()
  .transform((list) => list.split(',').map((host) => host.trim().toLowerCase()))
  .transform((list) => list.filter((host) => host !== ''))
  .refine(
    (list) => list.every((host) => /^(\[[0-9a-f:.]+\]|[^:\s]+):\d{1,5}$/.test(host)),
    'must be a comma list of host:port',
  )

/** A comma-separated list of name=value, with URL-encoded values. */
export const headersSetting = z.string().transform((list, { addIssue }) => {
  const pairs = list.split(',').filter((pair) => pair.trim() !== '')
  const headers = pairs.map((pair) => {
    const [name = '', value] = pair.split(/=(.*)/s, 2)
    return [name.trim(), decodedOrNull(value?.trim() ?? '')] as const
  })
  if (headers.every(([name, value]) => name !== '' && value))
    return Object.fromEntries(headers) as Record<string, string>
  addIssue('must be a comma list of name=value with URL-encoded values')
  return z.NEVER
})

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** Nothing but scheme, host and port. */
function isBareHost(text: string): boolean {
  const url = URL.parse(text)
  return url?.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
}

function isBucket(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 's3:' && [url.username, url.password, url.host, url.pathname.slice(1)].every(Boolean)
}

/** A comma-separated list of origins, in lower case; `*` alone is every origin. */
export const originsSetting = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim().toLowerCase().replace(/\/$/, '')))
  .transform((list) => list.filter((origin) => origin !== ''))
  .refine(
    (list) => list.every((origin) => isOrigin(origin) || (origin === '*' && list.length === 1)),
    'must be a comma list of origins such as https://app.example.com, or *',
  )
