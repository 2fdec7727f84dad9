type Env = Readonly<Record<string, string | undefined>>

/** Whether to use colors: decided by the options, then the environment, then whether the output is a terminal. */
export function useColor(option: boolean | undefined, env: Env, isTTY: boolean): boolean {
  if (option !== undefined) return option
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return isTTY && env.TERM !== 'dumb' && env.CLICOLOR !== '0'
}
