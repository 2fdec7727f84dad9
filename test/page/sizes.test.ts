import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

test('the script of the page has at most 90 kB', () => {
  expect(gzipSync(readFileSync('dist/page/page.js')).length).toBeLessThan(90_000)
})

test('the packed program has at most 4 MB', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })
  const [{ size }] = JSON.parse(packed)
  expect(size).toBeLessThan(4_000_000)
})
