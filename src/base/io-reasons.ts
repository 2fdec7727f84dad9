import { phrase } from './words/phrase.ts'

/** The reason for an I/O error, in words. */
export function reason({ code = '', message }: NodeJS.ErrnoException, access: 'read' | 'write' = 'write'): string {
  const [, say] = [...reasons[access], ...reasons.both].find(([codes]) => codes.split(' ').includes(code)) ?? []
  return say?.() ?? (code || message)
}

type Reasons = readonly (readonly [codes: string, say: () => string])[]

const reasons: Readonly<Record<'read' | 'write' | 'both', Reasons>> = {
  read: [
    ['ENOENT ENOTDIR', () => phrase('no such file')],
    ['EACCES EPERM', () => phrase('permission denied')],
  ],
  write: [
    ['ENOENT', () => phrase('its folder does not exist')],
    ['ENOTDIR', () => phrase('its folder is a file')],
    ['EACCES EPERM', () => phrase('no permission to write to it')],
  ],
  both: [
    ['EROFS', () => phrase('the disk is read-only')],
    ['EISDIR', () => phrase('it is a folder')],
    ['ENOSPC EDQUOT', () => phrase('the disk is full')],
    ['EFBIG', () => phrase('it would be too large')],
    ['EIO', () => phrase('the disk failed')],
    ['EBUSY ETXTBSY', () => phrase('another program is using it')],
    ['EMFILE ENFILE', () => phrase('too many files are open')],
    ['ELOOP', () => phrase('its links lead in a circle')],
    ['ENAMETOOLONG', () => phrase('its name is too long')],
  ],
}
