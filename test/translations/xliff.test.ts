import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { js2xliff, xliff2js } from 'xliff'
import { bilingual, translate } from './bilingual.ts'
import { townInThreeLanguages } from './town-in-three-languages.ts'

test('texts go out as XLIFF and come back translated, and one undo takes them back', async () => {
  const { calctl, exportTexts, edit, xliff, spanish } = await bilingual()
  const before = await spanish()
  expect(await exportTexts()).toEqual({
    status: 0,
    out: '',
    err: `wrote 3 texts of 1 record to ${xliff}, 2 texts not translated yet; apply the translations with: calctl apply ${xliff}\n`,
  })
  edit(translate('title', 'Concierto &amp; fiesta'))
  edit(translate('description', '&lt;p&gt;Música &lt;b&gt;en vivo&lt;/b&gt;.&lt;/p&gt;'))
  const applied = await calctl(['apply', xliff, '--yes'])
  expect(applied).toMatchObject({ status: 0 })
  expect(applied.err).toContain('1 to update')
  const translated = { title: 'Concierto & fiesta', description: '<p>Música <b>en vivo</b>.</p>' }
  const { modified: _, modified_utc: __, ...others } = { ...before, ...translated } as Record<string, unknown>
  expect(await spanish()).toMatchObject(others)
  expect((await calctl('undo --yes')).status).toBe(0)
  expect(await spanish()).toMatchObject({ title: before.title, description: before.description })
})

test('a file that nobody has touched changes nothing', async () => {
  const { calctl, exportTexts, xliff } = await bilingual()
  await exportTexts()
  expect(await calctl(['apply', xliff, '--yes'])).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 unchanged'),
  })
  expect((await calctl(['diff', '--exit-code', xliff])).status).toBe(0)
})

test('a translation that somebody changed on the site since the export is left alone, with status 7', async () => {
  const { calctl, exportTexts, edit, xliff, spanish } = await bilingual()
  await exportTexts()
  edit(translate('title', 'Concierto'))
  edit(translate('description', 'Del traductor'))
  await calctl(['events', 'update', '3', '--lang', 'es', '--description', 'De la redacción'])
  const dry = await calctl(['apply', xliff, '--dry-run'])
  expect(dry).toMatchObject({ status: 7 })
  expect(dry.out).toContain('~ "Concert", Sat 5 Dec 19:00 (3, es): title')
  expect(`${dry.out}${dry.err}`).toContain('1 conflict')
  const applied = await calctl(['apply', xliff, '--yes'])
  expect(applied.status).toBe(7)
  expect(applied.err).toMatch(/\n1 done\. Undo: .*\nerror: 1 record was kept as changed by someone else\n/)
  expect(applied.err).toContain(
    '! event 3: description changed on the site since the texts were exported, and was left as it is (see it with: calctl events get 3 --lang es --fields description)',
  )
  expect(await spanish()).toMatchObject({ title: 'Concierto', description: expect.stringContaining('De la redacción') })
  expect((await calctl(['apply', xliff, '--yes'])).status).toBe(7)
  expect((await calctl(['diff', '--exit-code', xliff])).status).toBe(7)
})

test('a translation that is on the site already is no conflict', async () => {
  const { calctl, exportTexts, edit, xliff } = await bilingual()
  await exportTexts()
  edit(translate('title', 'Concierto'))
  await calctl(['events', 'update', '3', '--lang', 'es', '--title', 'Concierto'])
  expect(await calctl(['apply', xliff, '--yes'])).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 unchanged'),
  })
})

test('what was changed on the site and not by the translator is no conflict either', async () => {
  const { calctl, exportTexts, edit, xliff, spanish } = await bilingual()
  await exportTexts()
  edit(translate('title', 'Concierto'))
  await calctl(['events', 'update', '3', '--lang', 'es', '--description', 'De la redacción'])
  expect((await calctl(['apply', xliff, '--yes'])).status).toBe(0)
  expect(await spanish()).toMatchObject({ title: 'Concierto', description: expect.stringContaining('De la redacción') })
})

test('a notice says that the original changed since it was given to the translator', async () => {
  const { calctl, exportTexts, edit, xliff } = await bilingual()
  await exportTexts()
  edit(translate('title', 'Concierto'))
  await calctl('events update 2 --lang ca --title "Concert de Nadal"')
  expect(await calctl(['apply', xliff, '--yes'])).toMatchObject({
    status: 0,
    err: expect.stringContaining('changed since the export, so its translation may be out of date: title of event 2\n'),
  })
})

test('texts without a translation, or not finished, are left alone', async () => {
  const { calctl, exportTexts, edit, xliff, spanish } = await bilingual()
  await exportTexts()
  const before = await spanish()
  edit(translate('title', 'Conci', ' state="initial"'))
  edit(translate('description', '   '))
  edit(translate('excerpt', '', ' state="translated"'))
  const { status, err } = await calctl(['apply', xliff, '--yes'])
  expect(status).toBe(0)
  expect(err).toContain('left out 1 text that is not finished')
  expect(err).toContain(
    ': left alone 1 text whose translation was emptied; to clear it: calctl events update 3 --lang es --clear description\n',
  )
  expect(await spanish()).toEqual(before)
})

test('an emptied title is left alone with a word, and has no command, because a title is never empty', async () => {
  const { calctl, exportTexts, edit, xliff } = await bilingual()
  await calctl(['events', 'update', '3', '--lang', 'es', '--title', 'Concierto'])
  await exportTexts()
  edit(translate('title', ''))
  expect((await calctl(['apply', xliff, '--yes'])).err).toContain(': left alone 1 text whose translation was emptied\n')
})

test('a conflict beside a unit that is invalid is not counted as invalid', async () => {
  const { calctl, exportTexts, edit, xliff } = await bilingual()
  await exportTexts()
  edit(translate('title', 'Concierto'))
  edit(translate('description', 'Del traductor'))
  edit(text => text.replace(/id="(events\.3\.es\.title)/, 'id="changed.$1'))
  await calctl(['events', 'update', '3', '--lang', 'es', '--description', 'De la redacción'])
  const { status, err } = await calctl(['apply', xliff, '--yes'])
  expect(status).toBe(2)
  expect(err).toContain('1 invalid, 1 conflict')
  expect(err).toContain('error: 1 record is invalid; nothing was sent\n')
})

/** Puts a translation behind a source of XLIFF 1.2, as translate-toolkit does. */
const translateOld =
  (field: string, target: string, state = 'translated') =>
  (text: string) =>
    text.replace(
      new RegExp(`(resname="${field}" xml:space="preserve")[^>]*(>.*?</source>)(?:\\s*<target.*?</target>)?`, 's'),
      (_, head, source) =>
        `${head} approved="${state === 'translated' ? 'yes' : 'no'}"${source}\n        <target state="${state}">${target}</target>`,
    )

test('texts go out as XLIFF 1.2 and come back as translate-toolkit and others write it', async () => {
  const { calctl, exportTexts, edit, xliff, text, spanish } = await bilingual({}, { excerpt: 'a\u0001b' })
  await exportTexts('--xliff-version', '1.2')
  expect(text('texts/ca-es.xlf')).toContain('<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">')
  expect(await calctl(['apply', xliff, '--yes'])).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 unchanged'),
  })
  edit(translateOld('title', 'Concert <g id="1" ctype="bold">x</g><x id="2" ctype="lb"/>', 'needs-translation'))
  edit(translateOld('excerpt', 'c<x id="0001" ctype="x-character"/>d'))
  edit(translateOld('description', '<bpt id="1">&lt;p&gt;</bpt>Música.<ept id="1">&lt;/p&gt;</ept>'))
  // What a memory offers is no translation.
  edit(text => text.replace('</target>', '</target><alt-trans><target>Nada</target></alt-trans>'))
  const applied = await calctl(['apply', xliff, '--yes'])
  expect(applied).toMatchObject({ status: 0, err: expect.stringContaining('left out 1 text that is not finished') })
  expect(await spanish()).toMatchObject({ title: 'Concert', excerpt: 'c\u0001d', description: '<p>Música.</p>' })
  edit(translateOld('title', '<g id="1" ctype="bold">Concierto</g><x id="2" ctype="lb"/>'))
  expect(await calctl(['apply', xliff, '--yes'])).toMatchObject({ status: 0 })
  expect((await spanish()).title).toBe('<b>Concierto</b><br>')
  edit(translateOld('title', '<x id="2"/>Concierto'))
  expect((await calctl(['apply', xliff, '--yes'])).err).toContain('has a code without its text: <x id="2">')
})

test('a PO file that was made of the texts comes back as XLIFF, as po2xliff writes it', async () => {
  const { calctl, exportTexts, edit, xliff, spanish } = await bilingual()
  await exportTexts('--xliff-version', '1.2')
  const unit = (id: number, location: string, target: string, restype = '') => `
      <po:trans-unit xmlns:po="urn:oasis:names:tc:xliff:document:1.1" id="${id}"${restype}><po:source>Concert</po:source>
        <target>${target}</target>
        <context-group name="po-reference" purpose="location"><context context-type="sourcefile">${location}</context></context-group>
      </po:trans-unit>`
  edit(text => {
    const [, title = ''] = /<trans-unit id="([^"]+)" resname="title"/.exec(text) ?? []
    const units =
      unit(4, '', 'Project-Id-Version: 1', ' restype="x-gettext-domain-header"') + unit(5, title, 'Concierto')
    const file = `<file original="out.po" source-language="ca" target-language="es" datatype="po"><body>${units}</body></file>`
    return text.replace('</xliff>', `${file}</xliff>`)
  })
  const applied = await calctl(['apply', xliff, '--yes'])
  expect(applied).toMatchObject({ status: 0, err: expect.stringContaining('1 to update') })
  expect((await spanish()).title).toBe('Concierto')
})

test.each([
  ['&lt;p&gt;Música &lt;b&gt;en vivo.&lt;/p&gt;', 'leaves <b> open'],
  ['&lt;p&gt;Música en vivo&lt;/b&gt;.&lt;/p&gt;', 'has </b> without its beginning'],
  [
    '&lt;a href="https://b.test/"&gt;Música&lt;/a&gt;',
    'has the address https://b.test/, which the original does not have',
  ],
  ['Quedan %s sitios', 'has %s, which the original does not have'],
])('a translation that breaks its original is refused: %s', async (target, message) => {
  const { calctl, exportTexts, edit, xliff, spanish } = await bilingual()
  await exportTexts()
  edit(translate('title', 'Concierto'))
  edit(translate('description', target))
  expect(await calctl(['apply', xliff, '--yes'])).toMatchObject({
    status: 2,
    err: expect.stringContaining(`the description of event 3 ${message} (correct it in the translation tool)`),
  })
  await calctl(['apply', xliff, '--yes', '--skip-invalid'])
  expect(await spanish()).toMatchObject({ title: 'Concierto', description: '<p>Música.</p>' })
})

test('what translation tools do to a file does not matter', async () => {
  const { calctl, exportTexts, edit, xliff, spanish } = await bilingual()
  await exportTexts()
  edit(translate('title', 'Concierto'))
  // Segments in another order, a marked term, codes in place of tags, a memory's matches, metadata, another prefix, indentation.
  edit(text =>
    text
      .replace(
        /(name="description">.*?)<segment.*?<\/segment>/s,
        `$1<mtc:matches xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"><mtc:match ref="#1"><source>Música</source><target>Nada</target></mtc:match></mtc:matches>
        <originalData><data id="d1">&lt;p&gt;</data><data id="d2">&lt;/p&gt;</data><data id="d3">&lt;b&gt;</data><data id="d4">&lt;/b&gt;</data></originalData>
        <segment id="s1" state="final" subState="my:ok"><source><ph id="1" dataRef="d1"/>Uno.</source><target order="3">Y <pc id="3" dataRefStart="d3" dataRefEnd="d4">dos</pc>.<ph id="2" dataRef="d2"/></target></segment>
        <ignorable><source> </source></ignorable>
        <segment state="reviewed"><source>Dos.</source><target order="1">
          <ph id="1" dataRef="d1"/><mrk id="m1" type="term">Uno</mrk><![CDATA[ & <medio>]]>.</target></segment>`,
      )
      .replace('<xliff ', '<!-- made by a tool -->\n<xliff xmlns:my="urn:my" my:tool="x" ')
      .replace('trgLang="es"', "trgLang='es-ES'")
      .replace(/<(\/?)(unit|file|xliff)\b/g, '<$1x:$2')
      .replace('xmlns=', 'xmlns:x="urn:oasis:names:tc:xliff:document:2.0" xmlns='),
  )
  expect((await calctl(['apply', xliff, '--yes'])).status).toBe(0)
  expect(await spanish()).toMatchObject({
    title: 'Concierto',
    description: '<p>Uno & <medio>. Y <b>dos</b>.</p>',
  })
})

test('another program reads the files, and what it writes is read', async () => {
  const { calctl, exportTexts, text, xliff, spanish } = await bilingual()
  await exportTexts()
  const read = (await xliff2js(text('texts/ca-es.xlf'))) as {
    resources: Record<string, Record<string, { source: string; target?: string }>>
  }
  const units = Object.values(read.resources['events.3'] ?? {})
  expect(units.map(({ source, target }) => [source, target])).toEqual([
    ['Concert', undefined],
    ['<p>Música <b>en viu</b> & més.</p>', '<p>Música.</p>'],
    ['Música', undefined],
  ])
  for (const unit of units) unit.target = `${unit.source} (es)`
  const written = await js2xliff(read)
  const origin = /original="[^"]*"/.exec(text('texts/ca-es.xlf'))?.[0] ?? ''
  writeFileSync(xliff, written.replace(/<file (?![^>]*original)/, `<file ${origin} `))
  expect((await calctl(['apply', xliff, '--yes'])).status).toBe(0)
  expect(await spanish()).toMatchObject({
    title: 'Concert (es)',
    description: '<p>Música <b>en viu</b> & més.</p> (es)',
  })
})

test('signs that XML does not take go out and come back', async () => {
  const { calctl, exportTexts, text, edit, xliff, spanish } = await bilingual(
    {},
    { description: 'a\u0001b ]]> &amp; "c"\r\n\td 🎷' },
  )
  await exportTexts()
  expect(text('texts/ca-es.xlf')).toContain('a<cp hex="0001"/>b ]]&gt; &amp;amp; &quot;c&quot;\n\td 🎷</source>')
  const [, source = ''] = /name="description">.*?<source[^>]*>(.*?)<\/source>/s.exec(text('texts/ca-es.xlf')) ?? []
  edit(translate('description', source.replaceAll('$', '$$$$')))
  await calctl(['apply', xliff, '--yes'])
  expect((await spanish()).description).toBe('a\u0001b ]]> &amp; "c"\n\td 🎷')
})

test('a file is never written over another, and says so before anything is read', async () => {
  const { exportTexts, xliff } = await bilingual()
  await exportTexts()
  expect(await exportTexts()).toMatchObject({
    status: 2,
    err: `error: ${xliff} already exists, and may contain translations\nhint: name another folder, or move it away first\n`,
  })
})

test('--to is a day also where --into names languages', async () => {
  const { calctl, path } = await bilingual()
  const none = await calctl(['export', 'events', '--to', '2020-01-01', '--into', 'es', '--xliff', path('texts')])
  expect(none.err).toContain('not written: nothing to translate into Spanish')
  expect(await calctl('export events --into es')).toEqual({
    status: 2,
    out: '',
    err: 'error: --into has no effect without --xliff\nhint: add --xliff FOLDER, or leave it out\n',
  })
})

test('records without a translation are named, with what creates them', async () => {
  const { calctl, path } = await bilingual()
  expect(await calctl(['export', 'events', '--lang', 'ca', '--into', 'en', '--xliff', path('texts')])).toEqual({
    status: 0,
    out: '',
    err: expect.stringContaining(
      'skipped 1 record without an en translation: event 2; create it first with: calctl languages copy events 2 --from ca --to en',
    ),
  })
})

test.each([
  ['--into fr', 'has no language "fr"'],
  ['--into ca', 'error: --into: Catalan is the language of the originals'],
  ['--into es -o csv', 'error: --xliff and -o cannot be used together'],
  ['--into es --human', 'error: --xliff and --human cannot be used together'],
  ['--into es --fields title', 'error: --xliff and --fields cannot be used together'],
])('export --xliff %s is refused', async (options, message) => {
  const { calctl, path } = await bilingual()
  const line = ['export', 'events', '--lang', 'ca', '--xliff', path('texts'), ...options.split(' ')]
  expect(await calctl(line)).toMatchObject({ status: 2, err: expect.stringContaining(message) })
})

const another = (text: string) => text.replace('</file>', `${/<unit.*?<\/unit>/s.exec(text)?.[0]}</file>`)

test.each<[string, (text: string) => string, string]>([
  [
    'an ID was changed',
    text => text.replaceAll('events.3.es', 'events.4.es'),
    'the ID of this unit was changed, or is not one of calctl',
  ],
  [
    'a unit is not from calctl',
    text => text.replace(/unit id="[^"]*"/, 'unit id="title"'),
    '! unit title: the ID of this unit was changed',
  ],
  [
    'a unit has no ID',
    text => text.replace(/unit id="[^"]*"/, 'unit'),
    'the ID of this unit was changed, or is not one of calctl',
  ],
  ['a field occurs twice', another, 'the title of event 3 occurs twice'],
  [
    'the calendar is gone',
    text => text.replace(/ original="[^"]*"/, ''),
    'no longer names its calendar, in "original"',
  ],
  [
    'it is of another calendar',
    text => text.replace(/original="[^"]*"/, 'original="https://other.test/wp-json/calendar/events/v1"'),
    'these texts were exported from https://other.test/wp-json/calendar/events/v1, not from',
  ],
  [
    'it is for another language',
    text => text.replace('trgLang="es"', 'trgLang="en"'),
    'this unit is for es, but the file is for en, by its target language',
  ],
  ['the language is gone', text => text.replace(' trgLang="es"', ''), 'has no target language'],
  ['the language is unknown', text => text.replace('trgLang="es"', 'trgLang="fr"'), 'is for the language "fr"'],
  [
    'a code lost its text',
    translate('title', 'Concierto<ph id="7"/>'),
    'the title of event 3 has a code without its text: <ph id="7">',
  ],
  [
    'a code is of a type that does not exist',
    translate('title', 'Concierto<ph id="7" subType="constructor"/>'),
    'the title of event 3 has a code without its text: <ph id="7">',
  ],
  [
    'it is XLIFF 1.1',
    text => text.replace('version="2.0"', 'version="1.1"'),
    'is XLIFF 1.1, not 2.0 or 1.2\nhint: save it as XLIFF 2.0 or 1.2 in the translation tool',
  ],
  [
    'it is other XML',
    () => '<?xml version="1.0"?>\n<rss version="2.0"></rss>',
    'is XML, but not XLIFF: it begins with <rss>',
  ],
  ['it is cut off', text => text.slice(0, 900), 'is damaged in line 1'],
  ['it is no XML', () => 'Concert', 'is damaged: '],
  [
    'it has entities',
    text => text.replace('<xliff', '<!DOCTYPE xliff [<!ENTITY a "b">]>\n<xliff'),
    'defines entities of its own, which XLIFF files do not need',
  ],
  ['it uses entities that are nowhere', translate('title', '&title;'), 'is damaged in line 1'],
])('nothing is written where %s', async (_, change, message) => {
  const { calctl, exportTexts, edit, xliff, spanish } = await bilingual()
  await exportTexts()
  const before = await spanish()
  edit(translate('title', 'Concierto'))
  edit(change)
  const applied = await calctl(['apply', xliff, '--yes'])
  expect(applied).toMatchObject({ status: 2, err: expect.stringContaining(message) })
  expect(applied.err).toMatch(/hint: |\(.*export|profile/)
  expect(await spanish()).toEqual(before)
})

test('codes that repeat a text a million times are refused', async () => {
  const { calctl, exportTexts, edit, xliff } = await bilingual()
  await exportTexts()
  edit(translate('title', '<ph id="1" dataRef="d"/>'.repeat(5000)))
  edit(text =>
    text.replace('name="title">', `name="title"><originalData><data id="d">${'a'.repeat(5000)}</data></originalData>`),
  )
  expect(await calctl(['apply', xliff, '--yes'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('the title of event 3 is longer than 1,000,000 characters'),
  })
})

test('a file of translations removes nothing', async () => {
  const { calctl, exportTexts, xliff } = await bilingual()
  await exportTexts()
  expect(await calctl(['apply', xliff, '--prune', '--yes'])).toMatchObject({
    status: 2,
    err: 'error: --prune and translations cannot be used together\nhint: leave out --prune\n',
  })
})

test('a record that is gone is named, and the others can be translated', async () => {
  const { calctl, exportTexts, edit, xliff } = await bilingual()
  await exportTexts()
  edit(translate('title', 'Concierto'))
  await calctl('events delete 3 --lang es --yes')
  expect(await calctl(['apply', xliff, '--yes'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('! event 3: '),
  })
  expect(await calctl(['apply', xliff, '--yes', '--skip-invalid'])).toMatchObject({ status: 6 })
})

test('texts of a site of The Events Calendar go out as they are stored, and come back', async () => {
  const { calctl, json, folder } = await townInThreeLanguages()
  const event = await json('events get hora-del-conte-2026-11-21')
  const target = await json('events get hora-del-conte-2026-11-21 --lang es')
  await calctl(['events', 'update', `${event.id}`, '--description', 'Una "història" & més\n\nAmb <b>titelles</b>...'])
  const exported = await calctl([
    'export',
    'events',
    '--on',
    '2026-11-21',
    '--into',
    'es',
    '--xliff',
    `${folder}/texts`,
  ])
  expect(exported).toMatchObject({ status: 0, err: expect.stringContaining('wrote ') })
  const file = `${folder}/texts/ca-es.xlf`
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('>Una &quot;història&quot; &amp; més\n\nAmb &lt;b&gt;titelles&lt;/b&gt;...</source>')
  const unit = new RegExp(`(id="events\\.${target.id}\\.es\\.title.*?)<target[^>]*>.*?</target>`, 's')
  writeFileSync(file, text.replace(unit, '$1<target>El cuento &amp; más</target>'))
  expect(await calctl(['apply', file, '--yes'])).toMatchObject({
    status: 0,
    err: expect.stringContaining('1 to update'),
  })
  expect(await json(`events get ${target.id} --lang es`)).toMatchObject({
    title: 'El cuento &#038; más',
    start_date: target.start_date,
    venue: target.venue,
    categories: target.categories,
  })
})

test('what is to be typed about conflicts and emptied texts names the profile', async () => {
  const { calctl, folder } = await townInThreeLanguages()
  const file = `${folder}/texts/ca-es.xlf`
  await calctl(`-p town export events --include 97 --into es --xliff ${folder}/texts`)
  writeFileSync(file, translate('description', '')(translate('title', 'Feria')(readFileSync(file, 'utf8'))))
  await calctl('events update 217 --lang es --title "Mercado nuevo"')
  const { status, err } = await calctl(`-p town apply ${file} --yes`)
  expect(status).toBe(7)
  expect(err).toContain('(see it with: calctl events get 217 --lang es --fields title -p town)')
  expect(err).toContain('to clear it: calctl events update 217 --lang es --clear description -p town\n')
})
