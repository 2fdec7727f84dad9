/** How deep the deepest values are: far deeper than any recursion goes. */
const depth = 100_000

const nested = (open: string, inner: string, close: string): string => open.repeat(depth) + inner + close.repeat(depth)

/** JSON that breaks what is careless with it: each is one value of a field, or a whole document. */
export const hostileJson: Readonly<Record<string, string>> = {
  lists: nested('[', '1', ']'),
  objects: nested('{"a":', '1', '}'),
  venues: nested('{"venue":', '"Sala"', '}'),
  unclosedLists: '['.repeat(depth),
  unclosedObjects: '{"a":'.repeat(depth),
  proto: '{"__proto__":{"id":7,"title":"x","admin":true}}',
  protoText: '{"__proto__":"x"}',
  constructor: '{"constructor":{"prototype":{"id":7}},"toString":1,"hasOwnProperty":1,"valueOf":null}',
  duplicates: '{"id":1,"id":2,"title":"a","title":"b"}',
  numbers: '[1e999,-1e999,1e-999,-0,99999999999999999999]',
  surrogates: '"\\ud800\\udc00\\ud800"',
  nulls: '{"id":null,"title":null,"name":null,"events":null,"total":null}',
  length: '{"length":4294967295,"0":1}',
  thenable: '{"then":{"then":1},"toJSON":"x","id":1}',
  zero: '"\\u0000"',
  long: `"${'x'.repeat(1_000_000)}"`,
}

/** YAML that does the same. */
export const hostileYaml: Readonly<Record<string, string>> = {
  flowLists: `- ${nested('[', '1', ']')}`,
  flowMaps: `a: ${nested('{a: ', '1', '}')}`,
  blocks: `${'- '.repeat(depth)}1\n`,
  unclosed: '['.repeat(depth),
  proto: '__proto__:\n  title: x\n',
  constructor: '- constructor: 1\n  title: x\n',
  duplicates: 'title: a\ntitle: b\n',
  alias: 'a: &a [1]\nb: *a\n',
  circle: '&a [*a]\n',
  unknownAlias: 'title: *nobody\n',
  laughs: [
    'a: &a [x,x,x,x,x,x,x,x,x,x]',
    ...['b', 'c', 'd', 'e', 'f', 'g', 'h'].map(
      (name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(10).slice(0, -1)}]`,
    ),
  ].join('\n'),
  merge: '- &x {title: a}\n- <<: *x\n  start_date: 2026-12-05\n',
  tags: '!!js/function "function(){}"\n',
  binary: 'title: !!binary aGVsbG8=\n',
  set: '!!set {a, b}\n',
  key: '? [a, b]\n: 1\n',
  objectKey: '{title: a}: 1\n',
  nothing: '---\n---\n...\n',
  anchorsOnly: '&a\n',
}

/** Sheets that do the same. */
export const hostileCsv: Readonly<Record<string, string>> = {
  proto: '__proto__,title,start_date,end_date\nx,Concert,2026-12-05,2026-12-05\n',
  constructor: 'constructor,toString,hasOwnProperty,title\n1,2,3,Concert\n',
  duplicates: 'title,title,start_date\na,b,2026-12-05\n',
  nestedCell: `title,venue\nConcert,"${nested('[', '1', ']')}"\n`,
  nestedObject: `title,venue\nConcert,"${nested('{""venue"":', '1', '}')}"\n`,
  protoCell: 'title,venue\nConcert,"{""__proto__"":{""venue"":""x""}}"\n',
  quotes: `title\n"${'"'.repeat(100_000)}\n`,
  columns: `title${',x'.repeat(depth)}\nConcert\n`,
  cells: `title,start_date\nConcert${',x'.repeat(depth)}\n`,
  resource: 'resource,name\n__proto__,x\nconstructor,y\n',
  action: 'title,action\nConcert,__proto__\n',
  zero: 'title\n\0\n',
  unclosed: 'title\n"Concert\n',
}

/** Calendars of other programs that do the same. */
export const hostileIcs: Readonly<Record<string, string>> = {
  nested: `BEGIN:VCALENDAR\n${'BEGIN:VTODO\n'.repeat(depth)}${'END:VTODO\n'.repeat(depth)}END:VCALENDAR\n`,
  returns: `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:a\nDTSTART:20261205\n${'\r'.repeat(4 * depth)}END:VEVENT\nEND:VCALENDAR\n`,
  folds: `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:a${'\n b'.repeat(10 * depth)}\nDTSTART:20261205\nEND:VEVENT\nEND:VCALENDAR\n`,
  unclosed: `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(1000)}`,
  proto:
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:__proto__\n__PROTO__:x\nCONSTRUCTOR:y\nSUMMARY:a\nDTSTART:20261205\nEND:VEVENT\nEND:VCALENDAR\n',
  rule: 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:a\nDTSTART:20261205T100000\nRRULE:FREQ=SECONDLY;INTERVAL=0;COUNT=999999999\nEND:VEVENT\nEND:VCALENDAR\n',
  zone: 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:a\nDTSTART;TZID=__proto__:20261205T100000\nEND:VEVENT\nEND:VCALENDAR\n',
  parameters: `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY${';X=y'.repeat(10_000)}:a\nDTSTART:20261205\nEND:VEVENT\nEND:VCALENDAR\n`,
}
