import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import { Failure } from '../failure.ts'

/** The certificates of a PEM file beside those that Node trusts by itself. */
export async function trustedWith(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Failure('settings', `--ca-file: cannot read ${path}: ${error.message}`, { hint: 'is the path right?' })
  })
  const own = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (own.length === 0 || !own.every(isCertificate))
    throw new Failure('settings', `--ca-file: no certificates in ${path}`, {
      hint: 'expected PEM: lines between BEGIN CERTIFICATE and END CERTIFICATE',
    })
  return [...rootCertificates, ...own]
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}
