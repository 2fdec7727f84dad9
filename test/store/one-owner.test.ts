import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { open as openHandle } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { isLocked, type Lock } from '../../src/base/lock/lock.ts'
import { currentOwner, ownerName } from '../../src/base/lock/owner.ts'
import { disk } from '../../src/service/store/disk.ts'
import { type FileStore, fileStore } from '../../src/service/store/file-store.ts'
import { load } from '../../src/service/store/load.ts'
import { bundle } from '../soak/bundle.ts'
import { skipped } from '../support/skipped.ts'
import { startServe } from '../support/start-serve.ts'
import { addTag, tempCalendarFile } from '../support/temp-calendar-file.ts'

let script = ''
beforeAll(async () => {
  script = await bundle('holder')
})

/** Whether this machine lets us make namespaces. */
const hasNamespaces = spawnSync('unshare', ['-pfm', '--mount-proc', 'true']).status === 0

/** Whether the kernel keeps the locks of this machine; without, only the silence of an owner elsewhere tells. */
const hasKernelLocks = spawnSync(process.execPath, ['-p', 'require.resolve("fs-native-extensions")']).status === 0

/** Another process that opens the file and keeps it open, and the lines that it prints. */
function holder(words: readonly string[], file: string, wait = '0') {
  const [command = '', ...args] = [...words, process.execPath, script, file, wait]
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: resolve(import.meta.dirname, '../../node_modules') },
    detached: true,
  })
  /** To the process and those that it started. */
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid ?? Number.NaN), name)
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) signal('SIGKILL')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    says: async (): Promise<unknown> => (await lines.next()).value,
    letGo: () => child.stdin.end(),
    signal,
    ended: () => once(child, 'exit'),
  }
}

const whyNoNamespaces = skipped(!hasNamespaces, 'namespaces are not permitted')
const whyNot = whyNoNamespaces || skipped(!hasKernelLocks, 'no kernel locks here')

const inPidNamespace = ['unshare', '-pf', '--mount-proc']
const withoutProc = ['unshare', '-m', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', '-']

test.skipIf(whyNot !== '')(
  `an owner in another container that is stopped for long keeps the file${whyNot}`,
  async () => {
    const { file, open } = tempCalendarFile()
    const other = holder(inPidNamespace, file)
    expect(await other.says()).toBe('has it')
    other.signal('SIGSTOP')
    const longAgo = new Date(Date.now() - 3_600_000)
    for (const entry of readdirSync(`${file}.lock`)) utimesSync(join(`${file}.lock`, entry), longAgo, longAgo)
    // The clock of the wait is that of the process that waits; this one has waited long enough for any heartbeat.
    await expect(open({ wait: 20_000, sleep: async () => {} })).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('in use by process 1 in another container or on another machine'),
    })
    other.signal('SIGCONT')
    other.letGo()
    expect(await other.says()).toBe('gave it back')
  },
)

test.skipIf(whyNot !== '')(
  `an owner in another container that was killed loses the file at once${whyNot}`,
  async () => {
    const { file, open, folder } = tempCalendarFile()
    const other = holder(inPidNamespace, file)
    expect(await other.says()).toBe('has it')
    other.signal('SIGKILL')
    await other.ended()
    await expect.poll(() => isLocked(file), { timeout: 20_000 }).toBe(false)
    await (await open({ wait: 0 })).close()
    expect(readdirSync(folder)).toEqual([])
  },
)

test.skipIf(!hasNamespaces)(`an owner that cannot be seen in /proc keeps the file${whyNoNamespaces}`, async () => {
  const { file, open } = tempCalendarFile()
  const store = await open()
  // As the name says it where the kernel has no locks.
  const [entry = ''] = readdirSync(`${file}.lock`)
  renameSync(join(`${file}.lock`, entry), join(`${file}.lock`, entry.replace('-k-', '--')))
  expect(await holder(withoutProc, file).says()).toContain(`in use by process ${process.pid}`)
  renameSync(join(`${file}.lock`, entry.replace('-k-', '--')), join(`${file}.lock`, entry))
  await store.close()
})

/** Leaves a lock as another process would. */
function lockAs(file: string, name: string, changed = new Date()): void {
  mkdirSync(`${file}.lock`)
  writeFileSync(join(`${file}.lock`, name), '')
  utimesSync(join(`${file}.lock`, name), changed, changed)
}
const inAYear = new Date(Date.now() + 31_536_000_000)
const owner = currentOwner()

test.each([
  ['of this boot', { ...owner, started: '1' }],
  ['of an earlier boot', { ...owner, boot: '00000000' }],
  ['of an earlier boot, as earlier builds called it', { ...owner, boot: '00000000', machine: '' }],
])('the lock of a dead process %s is taken over at once, though it is dated in the future', async (_, dead) => {
  const { file, open, folder } = tempCalendarFile()
  lockAs(file, ownerName(dead), inAYear)
  await (await open({ wait: 0 })).close()
  expect(readdirSync(folder)).toEqual([])
})

test('a lock of another machine is taken over only after its owner was silent for as long as somebody waited', async () => {
  const { file, open, folder } = tempCalendarFile()
  lockAs(file, ownerName({ ...owner, boot: '00000000', machine: 'b2c3d4e5.other' }), new Date(0))
  const refused = open({ wait: 3000, sleep: async () => {} })
  await expect(refused).rejects.toMatchObject({
    message: `the calendar file ${file} is in use by process ${process.pid} in another container or on another machine`,
    details: { hint: 'if that process has ended, try again in a minute, or remove the folder calendar.json.lock' },
  })
  await (await open({ wait: 5000, sleep: async () => {} })).close()
  expect(readdirSync(folder)).toEqual([])
})

test('a lock of another machine is kept while its owner touches it', async () => {
  const { file, open } = tempCalendarFile()
  const name = ownerName({ ...owner, boot: '00000000', machine: 'b2c3d4e5.other' })
  lockAs(file, name, new Date(0))
  let seconds = 0
  const sleep = async () => utimesSync(join(`${file}.lock`, name), ++seconds, seconds)
  await expect(open({ wait: 20_000, sleep })).rejects.toMatchObject({ kind: 'unreachable' })
})

test('an owner whose lock was taken over refuses writes, and changes nothing of what the new one writes', async () => {
  const { folder, file, open } = tempCalendarFile()
  const server = await startServe(`--file ${file} --port 0`)
  if (!('url' in server)) throw new Error(server.err)
  const tags = `${server.url}/calendar/events/v1/tags`
  const post = (name: string) => fetch(tags, { method: 'POST', body: new URLSearchParams({ name }) })
  expect((await post('Jazz')).status).toBe(201)
  // As another machine does after a long silence of this one.
  rmSync(`${file}.lock`, { recursive: true })
  const store = await open({ wait: 0 })
  await store.write(addTag('Blues'))

  const refused = await post('Swing')
  expect([refused.status, await refused.json()]).toEqual([
    503,
    {
      code: 'calctl_lock_lost',
      message:
        'Another process took over calendar.json, so this one writes to it no more. Nothing was changed; restart this server.',
      data: { status: 503 },
    },
  ])
  expect((await fetch(tags)).status).toBe(200)
  await server.stop()
  expect(server.err()).toContain(`warning: another process took over ${file}`)
  await store.write(addTag('Bop'))
  await store.close()
  const again = await open()
  expect([...again.table('tags').values()].map(({ name }) => name)).toEqual(['Jazz', 'Blues', 'Bop'])
  await again.close()
  expect(readdirSync(folder)).toEqual(['calendar.json'])
})

/** A gate at which an owner stops, as a process does that is stopped there, until another one has written. */
function stoppingPlace() {
  let isArmed = false
  let arrive = () => {}
  let leave = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  return {
    arm() {
      isArmed = true
    },
    async pass() {
      if (!isArmed) return
      isArmed = false
      arrive()
      await left
    },
    arrived,
    leave,
  }
}

const names = (store: FileStore) => [...store.table('tags').values()].map(({ name }) => name)

test.each(['flush of its emptied journal', 'flush of the folder'])(
  'an owner that was stopped during the %s writes nothing into the journal of the next one',
  async place => {
    const { folder, file, journal, open } = tempCalendarFile()
    const stop = stoppingPlace()
    const first = await open({
      create: true,
      longJournal: 1,
      disk: {
        ...disk,
        async flush(fd) {
          if (place === 'flush of its emptied journal') await stop.pass()
          await disk.flush(fd)
        },
      },
    })
    // The next write finds a journal that is longer than the file.
    await first.write(addTag('Tag 0'))
    for (let number = 1; statSync(journal).size <= statSync(file).size; number++)
      await first.write(addTag(`Tag ${number}`))
    if (place === 'flush of the folder') {
      const handle = await openHandle(folder)
      const prototype: { sync(this: unknown): Promise<void> } = Object.getPrototypeOf(handle)
      const { sync } = prototype
      let count = 0
      const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: unknown) {
        // The first one is that of the draft of the calendar file.
        if (++count === 2) await stop.pass()
        await sync.call(this)
      })
      onTestFinished(() => spy.mockRestore())
      await handle.close()
    } else await first.rewrite()
    stop.arm()
    const lost = first.write(addTag('Swing')).catch(error => error.code)
    await stop.arrived
    const [entry = ''] = readdirSync(`${file}.lock`)
    renameSync(
      join(`${file}.lock`, entry),
      join(`${file}.lock`, ownerName({ ...owner, boot: '00000000', machine: 'b2c3d4e5.other' })),
    )
    const next = await open({ wait: 20_000, sleep: async () => {} })
    const held = names(next)
    await next.write(addTag('Blues'))
    // Longer than a write that is only slow.
    await sleep(100)
    stop.leave()
    expect(await lost).toBe('calctl_lock_lost')
    await first.close()
    // As a kill leaves them.
    const copy = tempCalendarFile()
    copyFileSync(file, copy.file)
    copyFileSync(journal, copy.journal)
    const killed = await copy.open()
    expect(names(killed)).toEqual([...held, 'Blues'])
    await killed.close()
    await next.write(addTag('Bop'))
    await next.close()
    const again = await open()
    expect(names(again)).toEqual([...held, 'Blues', 'Bop'])
    await again.close()
    expect(readdirSync(folder)).toEqual(['calendar.json'])
  },
)

test('an owner that was stopped right after it looked leaves the journal of the next one in place', async () => {
  const { file, journal, open } = tempCalendarFile()
  await (await open({ create: true })).close()
  let [isOwn, isTaken] = [true, false]
  const lock: Lock = {
    isFromUnseen: false,
    isOwn() {
      const answer = isOwn
      if (isTaken && isOwn) {
        rmSync(journal)
        writeFileSync(journal, 'the next one')
        isOwn = false
      }
      return answer
    },
    announce() {},
    release() {},
  }
  const now = () => new Date()
  const stopped = fileStore(file, await load({ file, now }), lock, { disk, longJournal: 1 << 20, now })
  await stopped.write(addTag('Jazz'))
  isTaken = true
  await expect(stopped.write(addTag('Swing'))).rejects.toMatchObject({ code: 'calctl_lock_lost' })
  await stopped.close()
  expect(readFileSync(journal, 'utf8')).toBe('the next one')
})

test('what killed processes left beside the file is removed by the next one', async () => {
  const { folder, file, open } = tempCalendarFile()
  const dead = ownerName({ ...owner, started: '1' })
  mkdirSync(`${file}.lock.${dead}`)
  writeFileSync(join(`${file}.lock.${dead}`, 'entry'), '')
  writeFileSync(`${file}.42-k3f7aa.new`, '{"calctl": 1, "si')
  writeFileSync(join(folder, 'calendar.conflict.json.42-k3f7aa.new'), '')
  const others = [`${file}.notes`, `${file}.new`, join(folder, 'other.json.new')]
  for (const path of others) writeFileSync(path, '')
  const store = await open()
  await store.write(addTag('Jazz'))
  await store.close()
  expect(readdirSync(folder).toSorted()).toEqual([
    'calendar.json',
    'calendar.json.new',
    'calendar.json.notes',
    'other.json.new',
  ])
})
