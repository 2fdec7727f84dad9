import { expect, test } from 'vitest'
import { pem, stagedSite } from '../support/staged-site.ts'
import { commandOf, stagedFailures } from './staged-failures.ts'

for (const failure of stagedFailures) {
  const { name, stage = {}, baseUrl, flags = '', env = {}, code, error, hint, status } = failure
  test(`a command that meets "${name}" says what it is and what to do`, async () => {
    const site = await stagedSite(stage)
    const run = site.calctlWith({ ...(baseUrl && { CALCTL_BASE_URL: baseUrl(site.port) }), ...env })
    const options = flags.replace('CERTIFICATE', pem('certificate.pem')).replace('EXPIRED', pem('expired.pem'))
    const line = `${commandOf(failure)} --retries 0 ${options}`
    const outcome = await run(line)
    expect(outcome.err).toMatch(error)
    expect(outcome.err).toMatch(hint)
    expect(outcome.status).toBe(status)
    if (code === null) return
    const { error: data } = JSON.parse((await run(`${line} --json -q`)).err)
    expect(data.problem).toBe(code)
  }, 60_000)
}
