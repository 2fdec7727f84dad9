import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { town } from './town.ts'

test('a sheet is whole HTML that loads nothing, in the language of the content', async () => {
  const { calctl } = await town({ language: 'es' })
  for (const command of ['month', 'agenda']) {
    const { status, out } = await calctl(`${command} --html -`)
    expect(status).toBe(0)
    expect(out).toMatch(/^<!doctype html>\n<html lang="es">/)
    expect(out).not.toMatch(/<script|<link|<img|src=|url\(|@import/)
    expect(out).toContain('size: A4')
    expect(out.match(/<(div|ul|li|section|table|tr|td)\b/g)?.length).toBe(
      out.match(/<\/(div|ul|li|section|table|tr|td)>/g)?.length,
    )
  }
  expect((await calctl('month --html -')).out).toContain('<h1>Noviembre 2026</h1>')
  expect((await calctl('agenda --html -')).out).toContain('<h2>Sábado, 21 de noviembre</h2>')
})

test('what a site says is escaped', async () => {
  const { calctl } = await town()
  const title = '<script>alert(1)</script> "Jazz" & \'Blues\''
  await calctl(['events', 'create', '--title', title, '--start-date', '2026-11-25', '--end-date', '2026-11-25'])
  for (const command of ['month', 'agenda']) {
    const { out } = await calctl(`${command} --html -`)
    expect(out).not.toContain('<script')
    expect(out).not.toContain('"Jazz"')
  }
})

test('a sheet has what everybody may see, and more only if a status asks for it', async () => {
  const { calctl } = await town()
  const shown = await calctl('agenda --html -')
  expect(shown.out).not.toContain('Rehearsal')
  expect(shown.err).toBe('left out 1 event that is not public; choose others with: --status\n')
  const drafts = await calctl('month --status draft --html -')
  expect(drafts.out).toContain('Rehearsal (draft)')
  expect(drafts.err).toBe('')
})

test('a sheet is written to a file, again over itself, and never over another file', async () => {
  const { calctl } = await town()
  const file = join(tmpdir(), 'november.html')
  for (let time = 0; time < 2; time++)
    expect(await calctl(`month --status publish --html ${file}`)).toEqual({
      status: 0,
      out: '',
      err: `wrote ${file}; open it in a browser to print it\n`,
    })
  expect(readFileSync(file, 'utf8')).toContain('<h1>November 2026</h1>')
  writeFileSync(file, '<!doctype html><p>Mine</p>')
  expect(await calctl(`month --html ${file}`)).toMatchObject({ status: 2, out: '' })
  expect(readFileSync(file, 'utf8')).toBe('<!doctype html><p>Mine</p>')
  const nowhere = join(tmpdir(), 'none', 'sheet.html')
  expect(await calctl(`month --html ${nowhere}`)).toMatchObject({ status: 2, out: '' })
  expect(existsSync(nowhere)).toBe(false)
})

test('a sheet is no other form of output', async () => {
  const { calctl, seen } = await town()
  expect(await calctl('month --html - --json')).toMatchObject({ status: 2 })
  expect(await calctl('agenda --html - --fields title')).toMatchObject({ status: 2 })
  expect(seen).toEqual([])
})
