/** The part of undici that speaks to proxies, apart because few need it. */
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js'
