// The parts of undici that calctl uses: the whole of it is twice as large (536 instead of 284 kB) and takes three times as long to load.
// The package has no `exports`, so its paths are public.
export { default as Pool } from 'undici/lib/dispatcher/pool.js'

/** The part for proxies, which few users need. */
export async function proxyAgents() {
  const { default: connect } = await import('undici/lib/api/api-connect.js')
  const { default: Dispatcher } = await import('undici/lib/dispatcher/dispatcher.js')
  // Tunnels are opened with a method that undici adds only when it is loaded whole.
  Object.assign(Dispatcher.prototype, { connect })
  const { default: EnvHttpProxyAgent } = await import('undici/lib/dispatcher/env-http-proxy-agent.js')
  return EnvHttpProxyAgent
}
