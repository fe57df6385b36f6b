import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { runCommand } from './configuration'
import { commandPath } from './debian'

/** The files of a certificate for localhost; `pem` holds both, as HAProxy reads them. */
export type Certificate = { key: string; certificate: string; pem: string }

/** Makes a certificate for localhost, signed by itself. */
export function makeCertificate(folder: string): Certificate {
  const [key, certificate, pem] = ['tls.key', 'tls.crt', 'tls.pem'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const days = ['-days', '2', '-nodes', '-newkey', 'rsa:2048']
  runCommand(commandPath('openssl'), ['req', '-x509', ...days, ...subject, '-keyout', key, '-out', certificate])
  writeFileSync(pem, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  return { key, certificate, pem }
}

/** Has this process trust a certificate, beside those that it trusts already. */
export function trustCertificate({ certificate }: Certificate): void {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')])
}
