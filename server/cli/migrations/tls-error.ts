const OWN_CA =
  'To trust its certificate, add sslmode=verify-full and sslrootcert=/path/to/ca.pem to the address, with the certificate of the authority that signed it'

/** What Node says of a certificate, and what to set. */
const CERTIFICATES: Record<string, string> = {
  SELF_SIGNED_CERT_IN_CHAIN: OWN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: OWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: OWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OWN_CA,
  CERT_SIGNATURE_FAILURE: OWN_CA,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Name the host in the address as the certificate does',
  CERT_HAS_EXPIRED: 'Renew the certificate of the database',
}

/** What the driver and PostgreSQL say, without a code of its own. */
const MESSAGES: [RegExp, string][] = [
  [/no encryption/, 'It takes encrypted connections only: add sslmode=verify-full to the address'],
  [
    /does not support SSL/,
    'Turn TLS on there (ssl = on), or where the network is private take sslmode out of the address',
  ],
  [
    /no such file or directory, open|ERR_OSSL_PEM|no start line/,
    'Let sslrootcert name a readable file with certificates in PEM',
  ],
]

/** Why no encrypted connection to a database was made, and what to set; null for other errors. */
export function tlsProblem(error: unknown): { text: string; advice: string } | null {
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as {
    code?: string
    message?: string
  }
  const text = message ?? ''
  const advice = CERTIFICATES[code ?? ''] ?? MESSAGES.find(([pattern]) => pattern.test(text))?.[1]
  return advice ? { text: text.replace(/\.$/, ''), advice } : null
}
