import { Chalk } from 'chalk'

type Env = Readonly<Record<string, string | undefined>>

/** Whether to use colours: the options decide, then the environment, then whether a terminal is there. */
export function useColor(option: boolean | undefined, env: Env, isTTY: boolean): boolean {
  if (option !== undefined) return option
  if (env.NO_COLOR) return false
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return isTTY && env.TERM !== 'dumb' && env.CLICOLOR !== '0'
}

/** What colours mean here: headings stand out, a status says at a glance whether the public sees the record. */
export interface Paint {
  heading(text: string): string
  /** Colours a cell if its column is the status. */
  cell(path: string | undefined, text: string): string
}

/** Paints, or leaves text as it is where there are to be no colours. */
export function painter(color: boolean): Paint {
  const chalk = new Chalk({ level: color ? 1 : 0 })
  const status: Readonly<Record<string, (text: string) => string>> = {
    publish: chalk.green,
    future: chalk.cyan,
    private: chalk.magenta,
    draft: chalk.yellow,
    pending: chalk.yellow,
    trash: chalk.red,
  }
  return {
    heading: chalk.bold,
    cell: (path, text) => (path === 'status' ? (status[text]?.(text) ?? text) : text),
  }
}
