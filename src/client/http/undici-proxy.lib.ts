import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

// Tunnels are opened with a method that undici adds only when it is loaded whole.
Object.assign(Dispatcher.prototype, { connect })

/** The parts of undici that speak to proxies, apart because few need them. */
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js'
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
