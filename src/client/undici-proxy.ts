import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

// Tunnels are asked for by a method that undici adds only when it is loaded whole.
Object.assign(Dispatcher.prototype, { connect })

/** The part of undici that speaks to proxies, apart because few need it. */
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js'
