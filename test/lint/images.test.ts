import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { png } from '../images/png.ts'
import { json, type Stage, stagedSite } from '../support/staged-site.ts'

/** A site with an image that has an alt text, and one that has none, which two events to come and one that is over have. */
async function site(stage: Stage = {}) {
  const staged = await stagedSite(stage)
  writeFileSync(join(staged.folder, 'ball.png'), png(8, 6, 1))
  writeFileSync(join(staged.folder, 'fair.png'), png(8, 6, 2))
  const calctl = staged.calctlWith({}, { cwd: staged.folder })
  const on = (date: string) => `--start-date "${date} 18:00" --duration 2h --description Jazz`
  await calctl(`events create --title Past ${on('2020-03-01')} --image fair.png`)
  await calctl(`events create --title Ball ${on('2099-03-01')} --image ball.png --image-alt "A stage"`)
  await calctl(`events create --title Fair ${on('2099-03-02')} --image fair.png`)
  await calctl(`events create --title "Fair again" ${on('2099-03-03')} --image fair.png`)
  staged.seen.length = 0
  return { ...staged, calctl }
}

const line = 'lint --only featured-image-alt -q'

test('an image without alt text is found once, with the command that describes it', async () => {
  const { calctl, seen } = await site()
  const { status, out } = await calctl(line)
  expect([status, out]).toEqual([
    1,
    '"Fair", Mon 2 Mar 2099 18:00 (5)\n' +
      '  warning: has the image fair.png (1), which has no alt text [featured-image-alt]\n' +
      '    calctl api POST /wp/v2/media/1 -f alt_text=TEXT\n',
  ])
  expect(seen.filter(request => request === 'GET /wp-json/wp/v2/media')).toHaveLength(1)
  await calctl('api POST /wp/v2/media/1 -f alt_text="A stall"')
  expect(await calctl(line)).toMatchObject({ status: 0, out: '' })
})

test('where the site does not show its images, nothing is said of them', async () => {
  const answer: Stage['answer'] = ({ method, url }) =>
    method === 'GET' && url.includes('/wp/v2/media') ? json(403, { code: 'rest_forbidden' }) : undefined
  const { calctl } = await site({ answer })
  expect(await calctl(line)).toMatchObject({ status: 0, out: '' })
})

test('without credentials, images are not asked for', async () => {
  const { seen, calctlWith } = await site()
  expect(await calctlWith({ CALCTL_USER: undefined, CALCTL_PASSWORD: undefined })(line)).toMatchObject({ status: 0 })
  expect(seen.join()).not.toContain('media')
})
