import { afterEach, expect, test, vi } from 'vitest'
import { openInBrowser } from '../../src/cli/terminal/browser.ts'
import { skipped } from '../support/skipped.ts'

afterEach(() => vi.unstubAllEnvs())

const isElsewhere = process.platform !== 'linux'

test.skipIf(isElsewhere)(
  `a browser that cannot be opened is a failure, though its opener was started${skipped(isElsewhere, 'only on Linux')}`,
  async () => {
    vi.stubEnv('BROWSER', '/bin/false')
    await expect(openInBrowser('http://127.0.0.1:1/')).rejects.toThrow(/exited with status [1-9]/)
    vi.stubEnv('BROWSER', '/bin/true')
    await expect(openInBrowser('http://127.0.0.1:1/')).resolves.toBeUndefined()
  },
)
