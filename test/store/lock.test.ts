import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundle } from '../soak/bundle.ts'
import { addTag, tempCalendarFile } from '../support/temp-calendar-file.ts'

let script = ''
beforeAll(async () => {
  script = await bundle('holder')
})

/** Another process that opens the file, and the lines that it prints. */
function holder(file: string, ...more: string[]) {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [script, file, ...more], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    pid: child.pid,
    says: async (): Promise<unknown> => (await lines.next()).value,
    letGo: () => child.stdin.end(),
    async crash() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('a second process is refused with the pid that has the lock', async () => {
  const { file, open } = tempCalendarFile()
  const other = holder(file)
  expect(await other.says()).toBe('has it')
  await expect(open({ wait: 50 })).rejects.toMatchObject({
    kind: 'unreachable',
    message: `the calendar file ${file} is in use by process ${other.pid}`,
  })
})

test('a second process is refused with the URL where the file is served', async () => {
  const { file, open } = tempCalendarFile()
  const other = holder(file, '0', 'http://127.0.0.1:8787')
  expect(await other.says()).toBe('has it')
  await expect(open({ wait: 50 })).rejects.toMatchObject({
    message: `the calendar file ${file} is in use by process ${other.pid}, which serves it at http://127.0.0.1:8787`,
    details: { hint: 'talk to it with: --base-url http://127.0.0.1:8787' },
  })
})

test('a waiting process gets the lock when it is released', async () => {
  const { file, open } = tempCalendarFile()
  const store = await open()
  await store.write(addTag('Jazz'))
  const others = [holder(file, '120000'), holder(file, '120000'), holder(file, '120000')]
  await store.close()
  const lines = others.map(async other => ({ other, line: await other.says() }))
  const first = await Promise.race(lines)
  expect(first.line).toBe('has it')
  for (const other of others) other.letGo()
  const waiting = open({ wait: 120_000 })
  expect(await first.other.says()).toBe('gave it back')
  await (await waiting).close()
  // The other processes get it in turn, and end before the folder is removed.
  for (const { other, line } of await Promise.all(lines))
    if (other !== first.other) expect([line, await other.says()]).toEqual(['has it', 'gave it back'])
})

test('waiting can be interrupted', async () => {
  const { open } = tempCalendarFile()
  const store = await open()
  await expect(open({ wait: 120_000, signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ kind: 'interrupted' })
  await store.close()
})

test('the lock of a crashed process is taken over immediately', async () => {
  const { file, open, folder } = tempCalendarFile()
  const other = holder(file)
  expect(await other.says()).toBe('has it')
  await other.crash()
  const store = await open({ wait: 0 })
  await store.close()
  expect(readdirSync(folder)).toEqual([])
})

/** Creates a lock as another process would. */
function lockAs(file: string, name: string): void {
  mkdirSync(`${file}.lock`)
  writeFileSync(join(`${file}.lock`, name), '')
}

/** The name of this process as the owner of a lock. */
async function ownName({ file, open }: ReturnType<typeof tempCalendarFile>): Promise<string> {
  const store = await open()
  const [name = ''] = readdirSync(`${file}.lock`)
  await store.close()
  return name
}

test('a process with the pid of a dead owner does not count as the owner', async () => {
  const shelved = tempCalendarFile()
  const [pid, , place] = (await ownName(shelved)).split('-')
  lockAs(shelved.file, `${pid}-1-${place}`)
  await (await shelved.open({ wait: 0 })).close()
})

test('an empty lock folder does not lock', async () => {
  const { file, open } = tempCalendarFile()
  mkdirSync(`${file}.lock`)
  await (await open({ wait: 0 })).close()
})

test('a lock folder of earlier builds, whose name ends in .claim, does not lock', async () => {
  const { file, open } = tempCalendarFile()
  mkdirSync(`${file}.claim`)
  writeFileSync(join(`${file}.claim`, '999999999-1-'), '')
  await (await open({ wait: 0 })).close()
})

test('of many processes that find a dead owner, one at a time has the lock', async () => {
  const { file, open, read } = tempCalendarFile()
  const store = await open()
  const [name = ''] = readdirSync(`${file}.lock`)
  await store.close()
  lockAs(file, name.replace(/^\d+-\d+/, '999999999-1'))
  const all = Array.from({ length: 12 }, async (_, n) => {
    const each = await open({ wait: 120_000 })
    await each.write(addTag(`Tag-${n}`))
    await each.close()
  })
  await Promise.all(all)
  expect(read().match(/"Tag-\d+"/g)).toHaveLength(12)
  expect(readFileSync(file, 'utf8')).toContain('"term":12')
})
