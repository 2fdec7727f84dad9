import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** What a program does to the files below a folder. */
export interface FileOperation {
  readonly kind:
    | 'create'
    | 'write'
    | 'truncate'
    | 'flush'
    | 'rename'
    | 'remove'
    | 'make folder'
    | 'change mode'
    | 'copy'
  readonly path: string
  /** Of a rename or copy. */
  readonly to?: string
  /** Of a write. */
  readonly bytes?: Uint8Array
  /** Where a write begins, or the size after a truncation. */
  readonly position?: number
}

/** Told about each operation. What `before` throws happens instead of it. */
export interface FileWatcher {
  before?(operation: FileOperation): void
  after?(operation: FileOperation): void
}

type Call = (...args: never[]) => unknown

/** Arguments that were given to a function of node:fs, in the types that this function declares: Node has checked them, or will. */
const argumentsOf = <T extends readonly unknown[]>(args: readonly unknown[]): T => args as T

/**
 * Watches the operations of this process on files below a folder, through the functions of node:fs that calctl uses. Returns what
 * stops it. Open files are known by their paths when they were opened, and by those that they were renamed to.
 */
export async function watchFiles(folder: string, watcher: FileWatcher): Promise<() => void> {
  const paths = new Map<number, string>()
  const restored: (() => void)[] = []
  const isInside = (path: unknown): path is string => typeof path === 'string' && path.startsWith(`${folder}/`)

  function replace(target: object, name: string, make: (original: Call) => Call): void {
    const functions = target as Record<string, Call>
    const original = functions[name] as Call
    functions[name] = make(original)
    restored.push(() => {
      functions[name] = original
    })
  }
  function begin(operation: FileOperation | undefined): void {
    if (operation) watcher.before?.(operation)
  }
  function end(operation: FileOperation | undefined): void {
    if (operation) watcher.after?.(operation)
  }
  /** Replaces a function that works at once. */
  function watch(name: string, describe: (...args: never[]) => FileOperation | undefined): void {
    replace(fs, name, original => (...args) => {
      const operation = describe(...args)
      begin(operation)
      const result = original(...args)
      end(operation)
      return result
    })
  }
  const onPath = (kind: FileOperation['kind']) => (path: never) => (isInside(path) ? { kind, path } : undefined)
  const onFile = (kind: FileOperation['kind']) => (fd: number) => {
    const path = paths.get(fd)
    return path === undefined ? undefined : { kind, path }
  }
  const renamed = (from: string, to: string) => {
    for (const [fd, path] of paths) if (path === from) paths.set(fd, to)
  }
  const creates = (flags: unknown) =>
    typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : /[wa]/.test(String(flags ?? 'r'))

  replace(fs, 'openSync', original => (...args) => {
    const [path, flags] = argumentsOf<[unknown, unknown]>(args)
    const operation =
      isInside(path) && creates(flags) && !fs.existsSync(path) ? ({ kind: 'create', path } as const) : undefined
    begin(operation)
    const fd = original(...args) as number
    if (isInside(path)) paths.set(fd, path)
    end(operation)
    return fd
  })
  watch('closeSync', fd => void paths.delete(fd))
  watch('writeSync', (...args) => {
    const [fd, data, offset = 0, length, position] =
      argumentsOf<[number, Uint8Array | string, number, number, number]>(args)
    const path = paths.get(fd)
    if (path === undefined) return undefined
    const all = Buffer.from(data as Uint8Array)
    const bytes = typeof data === 'string' ? all : all.subarray(offset, offset + (length ?? all.length))
    return { kind: 'write', path, bytes, position: position ?? 0 }
  })
  watch('writeFileSync', (...args) => {
    const [path, data] = argumentsOf<[unknown, string]>(args)
    return isInside(path) ? { kind: 'write', path, bytes: Buffer.from(data), position: 0 } : undefined
  })
  watch('ftruncateSync', (...args) => {
    const [fd, position = 0] = argumentsOf<[number, number]>(args)
    const path = paths.get(fd)
    return path === undefined ? undefined : { kind: 'truncate', path, position }
  })
  for (const name of ['fdatasyncSync', 'fsyncSync']) watch(name, onFile('flush'))
  replace(fs, 'fdatasync', original => (...args) => {
    const [fd, done] = argumentsOf<[number, (error: unknown) => void]>(args)
    const operation = onFile('flush')(fd)
    try {
      begin(operation)
    } catch (error) {
      setImmediate(done, error)
      return
    }
    const finish = (error: unknown) => {
      if (!error) end(operation)
      done(error)
    }
    original(...argumentsOf<never[]>([fd, finish]))
  })
  watch('fchmodSync', onFile('change mode'))
  watch('renameSync', (...args) => {
    const [path, to] = argumentsOf<[unknown, string]>(args)
    return isInside(path) ? { kind: 'rename', path, to } : undefined
  })
  replace(fs, 'renameSync', original => (...args) => {
    const result = original(...args)
    renamed(...argumentsOf<[string, string]>(args))
    return result
  })
  watch('copyFileSync', (...args) => {
    const [path, to] = argumentsOf<[unknown, string]>(args)
    return isInside(path) ? { kind: 'copy', path, to } : undefined
  })
  for (const name of ['unlinkSync', 'rmSync', 'rmdirSync']) watch(name, onPath('remove'))
  watch('mkdirSync', onPath('make folder'))
  await watchHandles()

  async function watchHandles(): Promise<void> {
    const { promises } = fs
    const sample = await promises.open(folder, 'r')
    const prototype = Object.getPrototypeOf(sample)
    await sample.close()
    replace(promises, 'open', original => async (...args) => {
      const [path, flags] = argumentsOf<[unknown, unknown]>(args)
      const isNew = isInside(path) && creates(flags) && !fs.existsSync(path)
      const operation = isNew ? ({ kind: 'create', path } as const) : undefined
      begin(operation)
      const handle = (await original(...args)) as fs.promises.FileHandle
      if (isInside(path) || path === folder) paths.set(handle.fd, String(path))
      end(operation)
      return handle
    })
    replace(promises, 'rm', original => async (...args) => {
      const operation = onPath('remove')(args[0] as never)
      const isThere = operation && fs.existsSync(operation.path)
      if (isThere) begin(operation)
      await original(...args)
      if (isThere) end(operation)
    })
    const onHandle = (
      name: string,
      describe: (path: string, handle: fs.promises.FileHandle, args: unknown[]) => FileOperation,
    ) =>
      replace(prototype, name, original => {
        return async function (this: fs.promises.FileHandle, ...args: never[]) {
          const path = paths.get(this.fd)
          const operation = path === undefined ? undefined : describe(path, this, args)
          begin(operation)
          const result = await original.apply(this, args)
          end(operation)
          return result
        }
      })
    onHandle('appendFile', (path, handle, [data]) => ({
      kind: 'write',
      path,
      bytes: Buffer.from(data as string),
      position: fs.fstatSync(handle.fd).size,
    }))
    onHandle('sync', path => ({ kind: 'flush', path }))
    onHandle('chmod', path => ({ kind: 'change mode', path }))
    replace(prototype, 'close', original => {
      return function (this: fs.promises.FileHandle, ...args: never[]) {
        paths.delete(this.fd)
        return original.apply(this, args)
      }
    })
  }

  syncBuiltinESMExports()
  return () => {
    for (const restore of restored.toReversed()) restore()
    syncBuiltinESMExports()
  }
}
