import 'reflect-metadata'
import { createPrivateKey } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

/** A certificate and its private key, PEM. */
export type Certificate = { key: string; cert: string }

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY = 86_400_000

/** Makes a certificate for localhost, signed by itself, good for a day before and after now. */
export async function makeCertificate(): Promise<Certificate> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    notBefore: new Date(Date.now() - DAY),
    notAfter: new Date(Date.now() + DAY),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  })
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { key: key.export({ format: 'pem', type: 'pkcs8' }).toString(), cert: certificate.toString('pem') }
}

/** Has this process trust a certificate, beside those that it trusts already. */
export function trustCertificate({ cert }: Pick<Certificate, 'cert'>): void {
  setDefaultCACertificates([...getCACertificates('default'), cert])
}
