import { ignoreErrors } from '../../base/attempt.ts'
import { badSettings } from '../../base/failure.ts'
import { inputProblem } from '../../base/fs.ts'
import { reason } from '../../base/io-reasons.ts'
import { phrase } from '../../base/words/phrase.ts'

/** The certificates of a PEM file and those that Node trusts by itself. */
export async function trustedCertificates(path: string): Promise<string[]> {
  const { readFile } = await import('node:fs/promises')
  const { X509Certificate } = await import('node:crypto')
  const { rootCertificates } = await import('node:tls')
  const unreadable = (why: string) =>
    badSettings(phrase('--ca-file: cannot read {path}: {why}', { path, why }), phrase('check the path'))
  const problem = inputProblem(path)
  if (problem !== undefined) throw unreadable(problem)
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw unreadable(reason(error, 'read'))
  })
  const isCertificate = (pem: string): boolean => ignoreErrors(() => new X509Certificate(pem)) !== undefined
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw badSettings(
      phrase('--ca-file: no certificates in {path}', { path }),
      phrase('expected PEM: lines between BEGIN CERTIFICATE and END CERTIFICATE'),
    )
  return [...rootCertificates, ...certificates]
}
