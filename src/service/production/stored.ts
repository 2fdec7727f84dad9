import { statuses } from '../../contract/posts.ts'

/** All statuses of posts, with those that WordPress gives by itself. */
export const wordpressStatuses: readonly string[] = [...statuses, 'auto-draft', 'inherit']

/** Whether this passes PHP's filter for URLs: any scheme with two slashes, in ASCII. */
export const isPhpUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[!-~]+$/i.test(text)
