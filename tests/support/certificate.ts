import 'reflect-metadata'
import { createPrivateKey, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
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
    // A process trusts several, and finds them by their names.
    name: `CN=${randomUUID()}`,
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

/** A certificate with its files; `pem` holds it and its key, as HAProxy reads them. */
export type CertificateFiles = { cert: string; key: string; certificate: string; pem: string }

/** Makes a certificate for localhost in a folder. */
export async function writeCertificate(folder: string): Promise<CertificateFiles> {
  const { key, cert } = await makeCertificate()
  const write = (name: string, text: string, mode = 0o600) => {
    const file = path.join(folder, name)
    writeFileSync(file, text, { mode })
    return file
  }
  return {
    cert,
    key: write('tls.key', key),
    certificate: write('tls.crt', cert, 0o644),
    pem: write('tls.pem', `${cert}\n${key}`),
  }
}

/** Has this process trust a certificate, beside those that it trusts already. */
export function trustCertificate({ cert }: Pick<Certificate, 'cert'>): void {
  setDefaultCACertificates([...getCACertificates('default'), cert])
}
