import { expect, test } from 'vitest'
import { wordpressSite } from '../support/wordpress-site.ts'

test('a run of the same address in another namespace is refused, and both namespaces are named', async () => {
  const { calctl, baseUrl } = await wordpressSite()
  await calctl('tags create --name Jazz')
  const [{ run }] = JSON.parse((await calctl('history --json')).out)
  const { status, err } = await calctl(`undo ${run} --namespace other/v1 --yes`)
  expect(status).toBe(7)
  expect(err).toContain(`was applied to ${baseUrl}/tribe/events/v1, not to ${baseUrl}/other/v1\n`)
})
